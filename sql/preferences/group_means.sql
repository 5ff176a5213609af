-- One row is a measure of a query: the mean of its values for the groups.
select
    query_values.query_id,
    query_values.measure,
    sum(query_values.value order by query_values.judgment_set_id)
    / count(*) as value

from query_values

group by
    query_values.query_id,
    query_values.measure
