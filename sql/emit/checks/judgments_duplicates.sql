-- judgments: a document is judged twice for a query; keep one of its rows
select count(*) as documents

from given_judgments

group by
    cast(given_judgments.query_id as varchar),
    cast(given_judgments.doc_id as varchar)

having count(*) > 1
