-- Which two runs are compared? One row is a candidate and a baseline that it may
-- be compared with. Place 1 is the page of Monday: the newest run, under its
-- newest judgment set, beside the last release before it: a run with the tag
-- release, production or baseline; without one, the run before it. In this
-- order, the first dataset, judgment set, candidate and baseline belong
-- together, so that each filter of a dashboard begins with its first item.
with releases as (

    select distinct run_tags.run_id

    from run_tags

    where run_tags.tag in ('release', 'production', 'baseline')

),

pairs as (

    select distinct
        run_comparisons.dataset,
        run_comparisons.judgment_set,
        run_comparisons.judgment_set_id,
        run_comparisons.candidate,
        run_comparisons.candidate_run_id,
        run_comparisons.baseline,
        run_comparisons.baseline_run_id

    from run_comparisons

),

described as (

    select
        pairs.dataset,
        pairs.judgment_set,
        pairs.judgment_set_id,
        pairs.candidate,
        pairs.candidate_run_id,
        candidates.made_at as candidate_made_at,
        pairs.baseline,
        pairs.baseline_run_id,
        baselines.made_at as baseline_made_at,
        case
            when
                baselines.made_at > candidates.made_at
                or (
                    baselines.made_at = candidates.made_at
                    and pairs.baseline_run_id > pairs.candidate_run_id
                )
                then 'later run'
            when releases.run_id is not null then 'release'
            else 'earlier run'
        end as baseline_is,
        max(candidates.made_at) over (
            partition by pairs.dataset
        ) as newest_made_at

    from pairs

    inner join runs as candidates
        on pairs.candidate_run_id = candidates.run_id

    inner join runs as baselines
        on pairs.baseline_run_id = baselines.run_id

    left join releases
        on pairs.baseline_run_id = releases.run_id

)

select
    described.dataset,
    described.judgment_set,
    described.candidate,
    described.candidate_made_at,
    described.baseline,
    described.baseline_made_at,
    described.baseline_is,
    row_number() over (
        order by
            described.newest_made_at desc,
            described.dataset asc,
            described.candidate_made_at desc,
            described.candidate_run_id desc,
            described.judgment_set_id desc,
            case described.baseline_is
                when 'release' then 1
                when 'earlier run' then 2
                else 3
            end asc,
            described.baseline_made_at desc,
            described.baseline_run_id desc
    ) as place

from described

order by place
