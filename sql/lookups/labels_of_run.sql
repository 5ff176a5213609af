-- One row is when a run was made; is_followed says whether others are later in its
-- history.
with history as (
    select
        run_id, run_at,
        coalesce(run_at, loaded_at) < max(coalesce(run_at, loaded_at)) over (partition by dataset)
            as is_followed
    from runs
)

select
    cast(run_at as varchar) as run_at,
    is_followed
from history
where run_id = $run_id
