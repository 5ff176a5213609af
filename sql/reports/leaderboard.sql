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
        dataset, judgment_set, slice, run, measure, value, ci_low, ci_high, n, groups,
        is_separated,
        -- Values that differ only in the last bits are tied.
        case
            when value is not null
                then rank() over (of_board order by directed desc nulls last)
        end as rank,
        value is not null
        and count(*) over (partition by dataset, slice, measure, directed) > 1 as is_tied,
        row_number()
            over (of_board order by directed desc nulls last, valued.row_number asc)
            as place,
        judged_at_k, judged_depth, answered, unanswered, no_relevant, tested_n, note
    from directed_values as valued
    inner join statistics
        on valued.row_number = statistics.row_id
    window of_board as (partition by dataset, slice, measure)
),

ordered as (
    select
        *,
        min(place) filter (measure = $measures[1]) over (
            partition by dataset, slice, run
        ) as first_place
    from placed
)

select
    dataset, judgment_set, slice, rank, run, measure,
    value, ci_low, ci_high, n, groups,
    rank = 1 and coalesce(is_separated, false) as is_best,
    is_tied, judged_at_k, judged_depth, answered, unanswered,
    no_relevant, tested_n, note
from ordered
where $shown is null or first_place <= $shown
order by dataset, slice nulls last, first_place, list_position($measures, measure)
