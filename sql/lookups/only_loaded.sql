-- The measures of which some runs have loaded values, if none of these has rankings.
select distinct loaded_values.measure
from loaded_values
where
    list_contains($run_ids, loaded_values.run_id)
    and not exists (
        select runs.run_id
        from runs
        where list_contains($run_ids, runs.run_id) and runs.query_count > 0
    )
