-- One row is the value of a measure for a run, with its rank among the runs and
-- the groups of runs that no test separates.
with directed_values as (
    select
        valued.*,
        valued.rowid as row_number,
        round(if(measures.lower_is_better, -valued.value, valued.value), 12) as directed
    from valued
    inner join measures using (measure)
),

placed as (
    select
        valued.dataset, valued.judgment_set, valued.slice, valued.run, valued.measure, valued.value,
        statistics.ci_low, statistics.ci_high, valued.n, statistics.groups, statistics.is_separated,
        -- Values that differ only in the last bits are tied.
        case
            when valued.value is not null
                then
                    rank() over (
                        partition by valued.dataset, valued.slice, valued.measure
                        order by directed desc nulls last
                    )
        end as rank,
        valued.value is not null
        and count(*) over (
            partition by valued.dataset, valued.slice, valued.measure, directed
        ) > 1 as is_tied,
        row_number() over (
            partition by valued.dataset, valued.slice, valued.measure
            order by directed desc nulls last, valued.row_number asc
        ) as place,
        valued.judged_at_k, valued.judged_depth, valued.answered, valued.unanswered,
        valued.no_relevant, statistics.tested_n, statistics.note
    from directed_values as valued
    inner join statistics
        on valued.row_number = statistics.row_id
)

select
    placed.dataset, placed.judgment_set, placed.slice, placed.rank, placed.run, placed.measure,
    placed.value, placed.ci_low, placed.ci_high, placed.n, placed.groups,
    placed.rank = 1 and placed.is_separated as is_best,
    placed.is_tied, placed.judged_at_k, placed.judged_depth, placed.answered, placed.unanswered,
    placed.no_relevant, placed.tested_n, placed.note
from placed
window
    of_run as (partition by placed.dataset, placed.slice, placed.run)
qualify
    $shown is null
    or min(placed.place) filter (placed.measure = $measures[1]) over of_run
    <= $shown
order by
    placed.dataset,
    placed.slice nulls last,
    min(placed.place) filter (placed.measure = $measures[1]) over of_run,
    list_position($measures, placed.measure)
