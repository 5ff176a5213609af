-- Store the queries that have staged attributes, where there is nothing of them yet.
insert into queries (dataset, query_id)
select distinct
    $dataset as dataset,
    query_id
from staged_attributes
where query_id not in (select queries.query_id from queries where queries.dataset = $dataset)
