-- One row is the weighted mean of a registered measure for a run; each query
-- counts in proportion to its weight. Queries without a weight are omitted;
-- weighted_n is the number of queries in the mean. Measures whose value for a
-- run is not a mean are omitted.
select
    run_values.dataset,
    run_values.run,
    run_values.judgment_set,
    run_values.measure,
    run_values.weighted_value,
    run_values.weighted_n,
    run_values.run_id,
    run_values.judgment_set_id

from store.run_values

where run_values.weighted_n > 0
