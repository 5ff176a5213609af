-- judgments: a grade is above the highest one that a measure can use; give the
-- measure a higher max_rel, or gains to one with exponential gains
select given_judgments.query_id, given_judgments.doc_id, given_judgments.grade
from given_judgments
where cast(given_judgments.grade as double) > $highest
