-- One row is a run, with the previous one of its dataset in time; null for the
-- first. The time is when the system produced the run, or when the run was loaded
-- if that is not known.
select
    runs.run_id,
    lag(runs.run_id) over in_time as previous_run_id,
    lag(runs.name) over in_time as previous_run
from runs
window in_time as (
    partition by runs.dataset
    order by coalesce(runs.run_at, runs.loaded_at), runs.run_id
)
