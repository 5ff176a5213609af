-- One row is when a run was made; is_followed says whether others are later in its
-- history.
select
    cast(runs.run_at as varchar) as run_at,
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
