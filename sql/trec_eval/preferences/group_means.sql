-- One row is a measure of a query: the mean of its values over the groups.
select
    query_values.query_id,
    query_values.measure,
    sum(query_values.value order by query_values.judgment_set_id)
    / count(*) as value

from query_values

where query_values.run_id = $run_id

group by
    query_values.query_id,
    query_values.measure

order by query_values.query_id
