-- One row is the comparison of a candidate with the baseline by a measure, with
-- the results of tests. Candidates are in the order of $sort by the first measure,
-- or else as they were named.
with keyed as (
    select
        statistics.row_id, compared.attribute, compared.slice, compared.candidate,
        compared.candidate_run_id,
        count(statistics.p_adjusted) over () as comparisons,
        min(
            case cast($sort as varchar)  -- noqa: RF02
                when 'difference' then -compared.difference
                when 'value' then -compared.candidate_value
                when 'p' then statistics.p_adjusted
            end
        ) filter (compared.measure = $measures[1]) over (
            partition by compared.attribute, compared.slice, compared.candidate_run_id
        ) as key
    from compared
    inner join statistics
        on compared.rowid = statistics.row_id
),

placed as (
    select
        keyed.row_id, keyed.comparisons,
        dense_rank() over (
            partition by keyed.attribute, keyed.slice
            order by
                keyed.key nulls last,
                case when cast($sort as varchar) = 'name' then keyed.candidate end,
                list_position($candidate_run_ids, keyed.candidate_run_id)
        ) as place
    from keyed
)

select
    compared.baseline, compared.candidate, compared.judgment_set, compared.dataset,
    compared.attribute, compared.slice, compared.measure, compared.n, compared.baseline_value,
    compared.candidate_value, compared.difference,
    -- Values of utility can be negative.
    compared.difference / nullif(abs(compared.baseline_value), 0) as relative_difference,
    -- One column for each statistic.
    statistics.* exclude (row_id),  -- noqa: RF02
    compared.wins, compared.ties, compared.losses, compared.weighted_difference,
    compared.weighted_n, compared.standard_error, compared.baseline_judged_at_k,
    compared.candidate_judged_at_k, placed.comparisons
from compared
inner join statistics
    on compared.rowid = statistics.row_id
inner join placed using (row_id)
where $shown is null or placed.place <= $shown
order by
    compared.attribute,
    compared.slice nulls last,
    placed.place,
    list_position($measures, compared.measure)
