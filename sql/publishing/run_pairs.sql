-- One row is a pair of runs, in one direction, whose comparisons are published. Of few runs, these
-- are all pairs; else each run is compared with the baselines: the runs that are named or tagged as
-- such, or the run before it in time if there is none; with the last release before it; and with
-- the best run.
with marked as (
    select
        dataset, run_id,
        coalesce(run_at, loaded_at) as made_at,
        list_contains(cast($baselines as integer[]), run_id)
        or coalesce(bool_or(tag = 'baseline'), false) as is_baseline,
        coalesce(bool_or(tag in ('release', 'production')), false) as is_release
    from runs
    left join run_tags using (run_id)
    group by dataset, run_id, run_at, loaded_at
),

placed as (
    select
        dataset, run_id, is_baseline,
        count(*) over of_dataset as runs,
        if(bool_or(is_baseline) over of_dataset, null, lag(run_id) over in_time) as previous_run_id,
        last_value(if(is_release, run_id, null) ignore nulls) over (
            in_time
            rows between unbounded preceding and 1 preceding
        ) as release_run_id
    from marked
    window
        of_dataset as (partition by dataset),
        in_time as (
            partition by dataset
            order by made_at, run_id
        )
),

best as (
    select
        dataset,
        first(run_id order by judgment_set_id desc, value desc nulls last, run_id asc) as run_id
    from stored_run_values
    inner join runs using (run_id)
    where measure = $measure
    group by dataset
)

select
    run_pairs.*,
    greatest(baseline_run_id, candidate_run_id) as newer_run_id
from run_pairs
inner join placed as candidates
    on candidate_run_id = candidates.run_id
inner join marked as baselines
    on baseline_run_id = baselines.run_id
left join best
    on run_pairs.dataset = best.dataset
where
    runs <= cast($few_runs as bigint)
    or baselines.is_baseline
    or baseline_run_id in (previous_run_id, release_run_id, best.run_id)
