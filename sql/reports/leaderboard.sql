-- One row is the value of a measure for a run, with its rank among the runs and
-- the groups of runs that no test separates.
with placed as (

    select
        valued.dataset,
        valued.judgment_set,
        valued.slice,
        valued.run,
        valued.measure,
        valued.value,
        statistics.ci_low,
        statistics.ci_high,
        valued.n,
        statistics.groups,
        statistics.is_separated,
        -- Values that differ only in the last bits are tied.
        case
            when valued.value is not null
                then
                    rank() over (
                        partition by
                            valued.dataset, valued.slice, valued.measure
                        order by round(valued.value, 12) desc nulls last
                    )
        end as rank,
        valued.value is not null
        and count(*) over (
            partition by
                valued.dataset,
                valued.slice,
                valued.measure,
                round(valued.value, 12)
        ) > 1 as is_tied,
        row_number() over (
            partition by valued.dataset, valued.slice, valued.measure
            order by round(valued.value, 12) desc nulls last, valued.rowid
        ) as place,
        valued.judged_at_k,
        valued.judged_depth,
        valued.answered,
        valued.unanswered,
        valued.no_relevant,
        statistics.tested_n,
        statistics.note

    from valued

    inner join statistics
        on valued.rowid = statistics.row_id

),

ordered as (

    select
        placed.dataset,
        placed.judgment_set,
        placed.slice,
        placed.run,
        placed.measure,
        placed.value,
        placed.ci_low,
        placed.ci_high,
        placed.n,
        placed.groups,
        placed.is_separated,
        placed.rank,
        placed.is_tied,
        placed.judged_at_k,
        placed.judged_depth,
        placed.answered,
        placed.unanswered,
        placed.no_relevant,
        placed.tested_n,
        placed.note,
        min(placed.place) filter (placed.measure = $measures[1]) over (
            partition by placed.dataset, placed.slice, placed.run
        ) as place

    from placed

)

select
    ordered.dataset,
    ordered.judgment_set,
    ordered.slice,
    ordered.rank,
    ordered.run,
    ordered.measure,
    ordered.value,
    ordered.ci_low,
    ordered.ci_high,
    ordered.n,
    ordered.groups,
    ordered.rank = 1 and ordered.is_separated as is_best,
    ordered.is_tied,
    ordered.judged_at_k,
    ordered.judged_depth,
    ordered.answered,
    ordered.unanswered,
    ordered.no_relevant,
    ordered.tested_n,
    ordered.note

from ordered

where $shown is null or ordered.place <= $shown

order by
    ordered.dataset,
    ordered.slice nulls last,
    ordered.place,
    list_position($measures, ordered.measure)
