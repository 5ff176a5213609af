-- One row is what labels a run beside its rows, and since when it is in the
-- warehouse; is_followed says whether others are later in its history.
select
    runs.name, runs.dataset,
    cast(runs.run_at as varchar) as run_at,
    cast(runs.loaded_at as varchar) as loaded_at,
    (
        select count(*)
        from runs as others
        where
            others.dataset = runs.dataset
            and coalesce(others.run_at, others.loaded_at)
            > coalesce(runs.run_at, runs.loaded_at)
    ) > 0 as is_followed
from runs
where runs.run_id = $run_id
