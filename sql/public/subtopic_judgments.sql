-- One row is a document judged for a subtopic (intent, aspect) of a query, in a
-- judgment set that names subtopics. The relation judgments has the largest
-- grade of each document, which all measures read that know no subtopics.
select
    judgment_sets.dataset,
    judgment_sets.name as judgment_set,
    subtopic_judgments.judgment_set_id, subtopic_judgments.query_id, subtopic_judgments.subtopic,
    subtopic_judgments.doc_id, subtopic_judgments.grade, subtopic_judgments.label
from store.subtopic_judgments
inner join store.judgment_sets using (judgment_set_id)
