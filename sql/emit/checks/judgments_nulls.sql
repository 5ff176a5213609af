-- judgments: a query id, document id or grade is null, or a grade is not a
-- finite number or above 1e300; remove or repair these rows
select given_judgments.query_id, given_judgments.doc_id, given_judgments.grade
from given_judgments
where
    given_judgments.query_id is null or given_judgments.doc_id is null
    or not coalesce(abs(cast(given_judgments.grade as double)) <= 1e300, false)
