-- One row is a pair of runs, in one direction, whose comparisons are published,
-- with about how many values they have in common, and by how many measures. Of a
-- dataset with few runs, these are all pairs; else each run is compared with the baselines: the runs
-- that are named or tagged as such, or the run before it in time if there is
-- none; with the last release before it; and with the best run.
with counted as (
    select
        runs.dataset,
        count(*) as runs
    from runs
    group by runs.dataset
),

valued as (
    select
        stored_run_values.run_id,
        count(*) as measures,
        sum(evaluations.answered + evaluations.unanswered) as size
    from stored_run_values
    inner join evaluations using (run_id, judgment_set_id)
    group by stored_run_values.run_id
),

chosen as (
    select
        runs.dataset, runs.run_id
    from runs
    where
        list_contains(cast($baselines as integer[]), runs.run_id)
        or runs.run_id in (
            select run_tags.run_id
            from run_tags
            where run_tags.tag = 'baseline'
        )
),

previous as (
    select
        runs.run_id,
        lag(runs.run_id) over (
            partition by runs.dataset
            order by coalesce(runs.run_at, runs.loaded_at), runs.run_id
        ) as previous_run_id
    from runs
    where runs.dataset not in (select chosen.dataset from chosen)
),

releases as (
    select distinct run_tags.run_id
    from run_tags
    where run_tags.tag in ('release', 'production')
),

released as (
    select
        runs.run_id,
        last_value(releases.run_id ignore nulls) over (
            partition by runs.dataset
            order by coalesce(runs.run_at, runs.loaded_at), runs.run_id
            rows between unbounded preceding and 1 preceding
        ) as release_run_id
    from runs
    left join releases
        on runs.run_id = releases.run_id
),

ranked as (
    select
        runs.run_id,
        row_number() over (
            partition by runs.dataset
            order by
                stored_run_values.judgment_set_id desc,
                stored_run_values.value desc nulls last,
                runs.run_id asc
        ) as place
    from stored_run_values
    inner join runs using (run_id)
    where stored_run_values.measure = $measure
)

select
    run_pairs.dataset, run_pairs.baseline_run_id, run_pairs.baseline, run_pairs.candidate_run_id,
    run_pairs.candidate,
    greatest(run_pairs.baseline_run_id, run_pairs.candidate_run_id) as newer_run_id,
    coalesce(valued.measures, 0) as measures,
    coalesce(valued.size, 0) as size
from run_pairs
inner join counted using (dataset)
left join valued
    on run_pairs.candidate_run_id = valued.run_id
left join previous
    on run_pairs.candidate_run_id = previous.run_id
left join released
    on run_pairs.candidate_run_id = released.run_id
where
    counted.runs <= (select $few_runs)
    or run_pairs.baseline_run_id in (select chosen.run_id from chosen)
    or run_pairs.baseline_run_id = previous.previous_run_id
    or run_pairs.baseline_run_id = released.release_run_id
    or run_pairs.baseline_run_id in (
        select ranked.run_id
        from ranked
        where ranked.place = 1
    )
order by newer_run_id, run_pairs.baseline_run_id, run_pairs.candidate_run_id
