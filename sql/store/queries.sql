insert into queries (dataset, query_id, text, weight)
select
    $dataset as dataset,
    staged.query_id,
    staged.text,
    staged.weight

from staged

where staged.query_id not in (
    select queries.query_id
    from queries
    where queries.dataset = $dataset
)
