-- One row is the weighted mean of a registered measure for a run; each query
-- counts in proportion to its weight. Queries without a weight are omitted;
-- weighted_n is the number of queries in the mean. Measures whose value for a
-- run is not a mean are omitted.
select
    weighted_run_values.dataset,
    weighted_run_values.run,
    weighted_run_values.judgment_set,
    weighted_run_values.measure,
    weighted_run_values.weighted_value,
    weighted_run_values.weighted_n,
    weighted_run_values.run_id,
    weighted_run_values.judgment_set_id

from store.weighted_run_values
