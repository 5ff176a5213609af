-- One row is the comparison of a candidate with the baseline by a measure, with
-- the results of tests. Candidates are in the order of $sort by the first measure,
-- or else as they were named.
with keyed as (
    select
        row_id, attribute, slice, candidate, candidate_run_id,
        count(p_adjusted) over () as comparisons,
        min(
            case cast($sort as varchar)
                when 'difference' then -difference
                when 'value' then -candidate_value
                when 'p' then p_adjusted
            end
        ) filter (measure = $measures[1]) over (
            partition by attribute, slice, candidate_run_id
        ) as key
    from compared
    inner join statistics
        on compared.rowid = statistics.row_id
),

placed as (
    select
        row_id, comparisons,
        dense_rank() over (
            partition by attribute, slice
            order by
                key nulls last,
                case when cast($sort as varchar) = 'name' then candidate end,
                list_position($candidate_run_ids, candidate_run_id)
        ) as place
    from keyed
)

select
    baseline, candidate, judgment_set, dataset, attribute, slice, measure, n,
    baseline_value, candidate_value, difference,
    -- Values of utility can be negative.
    difference / nullif(abs(baseline_value), 0) as relative_difference,
    -- One column for each statistic.
    statistics.* exclude (row_id),  -- noqa: RF02
    wins, ties, losses, weighted_difference, weighted_n, standard_error,
    baseline_judged_at_k, candidate_judged_at_k, comparisons
from compared
inner join statistics
    on compared.rowid = statistics.row_id
inner join placed using (row_id)
where $shown is null or place <= $shown
order by attribute, slice nulls last, place, list_position($measures, measure)
