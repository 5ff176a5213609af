-- One row is a run at its time in a series of runs. If tag is null, the series
-- consists of all runs of the dataset; otherwise it consists of the runs with
-- this value of the tag. The time is when the system produced the run, or when
-- the run was loaded if that is not known.
with tags as (
    select
        runs.run_id,
        cast(null as varchar) as tag,
        cast(null as varchar) as tag_value
    from runs
    union all
    select
        run_tags.run_id, run_tags.tag, run_tags.tag_value
    from run_tags
)

select
    runs.dataset, runs.run_id,
    runs.name as run,
    tags.tag, tags.tag_value,
    coalesce(runs.run_at, runs.loaded_at) as made_at
from runs
inner join tags using (run_id)
