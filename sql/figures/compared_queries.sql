-- The largest number of queries that a candidate and the baseline both have a value for.
select coalesce(max(queries), 0) as queries
from (
    select count(*) as queries
    from stored_values as baselines
    inner join stored_values as candidates using (judgment_set_id, measure, query_id)
    where
        baselines.run_id = $baseline_run_id
        and list_contains($candidate_run_ids, candidates.run_id)
        and judgment_set_id = $judgment_set_id
        and list_contains($measures, measure)
        and baselines.value + candidates.value is not null
    group by candidates.run_id, measure
) as counts
