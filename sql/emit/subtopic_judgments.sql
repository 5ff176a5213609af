-- A document that is judged for a subtopic of a query.
select
    1 as judgment_set_id,
    cast(given_judgments.query_id as varchar) as query_id,
    cast(given_judgments.subtopic as varchar) as subtopic,
    cast(given_judgments.doc_id as varchar) as doc_id,
    cast(given_judgments.grade as double) + 0 as grade
from given_judgments
