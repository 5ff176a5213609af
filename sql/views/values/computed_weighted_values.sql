-- One row is the weighted mean of a registered measure for an evaluation, if
-- the value of the measure is a mean. Each query counts in proportion to its
-- weight in the table queries. Queries without a weight are omitted; weighted_n
-- is the number of queries in the mean. The table stored_weighted_values stores
-- these rows.
select
    stored_values.run_id,
    stored_values.judgment_set_id,
    stored_values.measure,
    sum(stored_values.value * queries.weight order by stored_values.query_id)
    / nullif(sum(queries.weight order by stored_values.query_id), 0)
        as weighted_value,
    count(*) as weighted_n

from stored_values

inner join measures using (measure)

inner join runs using (run_id)

inner join queries using (dataset, query_id)

where
    measures.summary = 'mean'
    and queries.weight is not null
    and stored_values.value is not null

group by
    stored_values.run_id,
    stored_values.judgment_set_id,
    stored_values.measure
