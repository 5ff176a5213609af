-- One row is a judged query with its value of a registered measure.
select
    query_values.query_id,
    query_values.measure,
    query_values.value
from query_values
inner join measures using (measure)
order by
    query_values.query_id,
    measures.rowid
