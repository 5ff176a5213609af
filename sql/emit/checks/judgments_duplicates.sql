-- judgments: a document is judged twice for a query; keep one of its rows, or
-- name the column of subtopics
select
    cast(given_judgments.query_id as varchar) as query_id,
    cast(given_judgments.doc_id as varchar) as doc_id
from given_judgments
group by all
having count(*) > 1
