-- One row is a run whose rankings are stored, with the previous one of its
-- dataset in time; null for the first. The time is when the system produced the
-- run, or when the run was loaded if that is not known.
select
    runs.run_id,
    lag(runs.run_id) over in_time as previous_run_id,
    lag(runs.name) over in_time as previous_run
from runs
where
    runs.run_id not in (
        select external_evaluations.run_id
        from external_evaluations
    )
window in_time as (
    partition by runs.dataset
    order by coalesce(runs.run_at, runs.loaded_at), runs.run_id
)
