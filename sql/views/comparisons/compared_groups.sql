-- One row is the comparison of two runs by a registered measure, over those queries
-- of a group (see query_groups) for which both runs have a value. baseline_value and
-- candidate_value are means over these queries, or sums or geometric means if the
-- measure is one. Values are added in the order of query ids. Each pair of runs is
-- listed in both directions: filter by the two runs.
with sums as (
    select
        query_groups.attribute, query_groups.slice, compared_values.dataset,
        compared_values.judgment_set, compared_values.baseline, compared_values.candidate,
        compared_values.judgment_set_id, compared_values.baseline_run_id,
        compared_values.candidate_run_id, compared_values.measure, compared_values.summary,
        count(compared_values.difference) as n,
        sum(compared_values.baseline_summand order by compared_values.query_id) as baseline_sum,
        sum(compared_values.candidate_summand order by compared_values.query_id) as candidate_sum,
        -- The filters save memory where queries have no weights, as an ordered sum
        -- keeps its summands, null ones too.
        sum(compared_values.difference * compared_values.weight order by compared_values.query_id)
        filter (where compared_values.weight is not null) as weighted_sum,
        sum(compared_values.weight order by compared_values.query_id)
        filter (where compared_values.weight is not null) as weight_sum,
        count(compared_values.weight) as weighted_n,
        -- Values that differ only in the last bits are a tie.
        count(case when compared_values.improvement >= 5e-13 then 1 end) as wins,
        count(case when abs(compared_values.difference) < 5e-13 then 1 end) as ties,
        count(case when compared_values.improvement <= -5e-13 then 1 end) as losses,
        stddev_samp(compared_values.difference order by compared_values.query_id) as deviation
    from compared_values
    inner join query_groups using (judgment_set_id, query_id)
    group by all
),

valued as (
    select
        sums.*,
        case sums.summary
            when 'sum' then sums.baseline_sum
            when 'geometric' then exp(sums.baseline_sum / nullif(sums.n, 0))
            else sums.baseline_sum / nullif(sums.n, 0)
        end as baseline_value,
        case sums.summary
            when 'sum' then sums.candidate_sum
            when 'geometric' then exp(sums.candidate_sum / nullif(sums.n, 0))
            else sums.candidate_sum / nullif(sums.n, 0)
        end as candidate_value
    from sums
)

select
    valued.dataset, valued.judgment_set, valued.baseline, valued.candidate, valued.judgment_set_id,
    valued.baseline_run_id, valued.candidate_run_id, valued.attribute, valued.slice, valued.measure,
    valued.baseline_value, valued.candidate_value,
    valued.candidate_value - valued.baseline_value as difference,
    case
        when valued.summary = 'mean' then valued.weighted_sum / nullif(valued.weight_sum, 0)
    end as weighted_difference,
    valued.n,
    case when valued.summary = 'mean' then valued.weighted_n else 0 end as weighted_n,
    valued.wins, valued.ties, valued.losses,
    case
        when valued.summary = 'mean' and valued.n > 1 then valued.deviation / sqrt(valued.n)
    end as standard_error
from valued
