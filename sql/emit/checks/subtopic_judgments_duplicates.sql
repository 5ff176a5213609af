-- judgments: a document is judged twice for a query and a subtopic; keep one of
-- its rows
select
    cast(given_judgments.query_id as varchar) as query_id,
    cast(given_judgments.subtopic as varchar) as subtopic,
    cast(given_judgments.doc_id as varchar) as doc_id
from given_judgments
group by all
having count(*) > 1
