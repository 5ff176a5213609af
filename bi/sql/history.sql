-- How did it go, and what was released? One row is the value of a measure for a
-- run at its time, with the difference from the run before it. release is the
-- run's tag release, production or baseline with its value, and released_value
-- the value of such a run alone, to be drawn as a mark; both are null for others.
with releases as (

    select
        run_tags.run_id,
        max(run_tags.tag || ' ' || run_tags.tag_value) as release

    from run_tags

    where run_tags.tag in ('release', 'production', 'baseline')

    group by run_tags.run_id

)

select
    history.dataset,
    history.judgment_set,
    history.measure,
    history.made_at,
    history.run,
    releases.release,
    history.value,
    case
        when releases.release is not null then history.value
    end as released_value,
    history.previous_run,
    history.difference,
    history.judged_at_k,
    history.n

from history

left join releases
    on history.run_id = releases.run_id

where history.tag is null

order by
    history.made_at,
    history.run_id
