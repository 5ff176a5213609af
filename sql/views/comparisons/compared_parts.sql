-- One row is the comparison of two runs by a registered measure, over all
-- judged queries (is_sliced is false) or over those that have one value of an
-- attribute. It has the value for each run (the mean, or the sum or geometric
-- mean if the measure is one) and the counts that these are based on. Only
-- queries for which both runs have a value count.
with parts as (

    select
        false as is_sliced,
        cast(null as varchar) as attribute,
        cast(null as varchar) as slice,
        compared_values.dataset,
        compared_values.judgment_set,
        compared_values.baseline,
        compared_values.candidate,
        compared_values.judgment_set_id,
        compared_values.baseline_run_id,
        compared_values.candidate_run_id,
        compared_values.measure,
        compared_values.summary,
        compared_values.query_id,
        compared_values.difference,
        compared_values.baseline_summand,
        compared_values.candidate_summand,
        queries.weight

    from compared_values

    left join queries using (dataset, query_id)

    union all

    select
        true as is_sliced,
        query_slices.attribute,
        query_slices.slice,
        compared_values.dataset,
        compared_values.judgment_set,
        compared_values.baseline,
        compared_values.candidate,
        compared_values.judgment_set_id,
        compared_values.baseline_run_id,
        compared_values.candidate_run_id,
        compared_values.measure,
        compared_values.summary,
        compared_values.query_id,
        compared_values.difference,
        compared_values.baseline_summand,
        compared_values.candidate_summand,
        query_slices.weight

    from compared_values

    inner join query_slices using (judgment_set_id, query_id)

),

sums as (

    select
        parts.is_sliced,
        parts.attribute,
        parts.slice,
        parts.dataset,
        parts.judgment_set,
        parts.baseline,
        parts.candidate,
        parts.judgment_set_id,
        parts.baseline_run_id,
        parts.candidate_run_id,
        parts.measure,
        parts.summary,
        count(parts.difference) as n,
        sum(parts.baseline_summand order by parts.query_id)
            as baseline_sum,
        sum(parts.candidate_summand order by parts.query_id)
            as candidate_sum,
        -- The filters save memory where queries have no weights, as an ordered
        -- sum keeps its summands, null ones too.
        case
            when parts.summary = 'mean'
                then
                    sum(parts.difference * parts.weight order by parts.query_id)
                    filter (where parts.weight is not null)
                    / nullif(
                        sum(
                            case
                                when parts.difference is not null
                                    then parts.weight
                            end
                            order by parts.query_id
                        )
                        filter (where parts.weight is not null),
                        0
                    )
        end as weighted_difference,
        case
            when parts.summary = 'mean'
                then count(parts.difference * parts.weight)
            else 0
        end as weighted_n,
        -- Values that differ only in the last bits are a tie.
        count(case when parts.difference >= 5e-13 then 1 end) as wins,
        count(case when abs(parts.difference) < 5e-13 then 1 end) as ties,
        count(case when parts.difference <= -5e-13 then 1 end) as losses,
        case
            when count(parts.difference) > 1 and parts.summary = 'mean'
                then
                    stddev_samp(parts.difference order by parts.query_id)
                    / sqrt(count(parts.difference))
        end as standard_error

    from parts

    group by
        parts.is_sliced,
        parts.attribute,
        parts.slice,
        parts.dataset,
        parts.judgment_set,
        parts.baseline,
        parts.candidate,
        parts.judgment_set_id,
        parts.baseline_run_id,
        parts.candidate_run_id,
        parts.measure,
        parts.summary

),

valued as (

    select
        sums.is_sliced,
        sums.attribute,
        sums.slice,
        sums.dataset,
        sums.judgment_set,
        sums.baseline,
        sums.candidate,
        sums.judgment_set_id,
        sums.baseline_run_id,
        sums.candidate_run_id,
        sums.measure,
        case sums.summary
            when 'sum' then sums.baseline_sum
            when 'geometric' then exp(sums.baseline_sum / nullif(sums.n, 0))
            else sums.baseline_sum / nullif(sums.n, 0)
        end as baseline_value,
        case sums.summary
            when 'sum' then sums.candidate_sum
            when 'geometric' then exp(sums.candidate_sum / nullif(sums.n, 0))
            else sums.candidate_sum / nullif(sums.n, 0)
        end as candidate_value,
        sums.weighted_difference,
        sums.n,
        sums.weighted_n,
        sums.wins,
        sums.ties,
        sums.losses,
        sums.standard_error

    from sums

)

select
    valued.is_sliced,
    valued.dataset,
    valued.judgment_set,
    valued.baseline,
    valued.candidate,
    valued.judgment_set_id,
    valued.baseline_run_id,
    valued.candidate_run_id,
    valued.attribute,
    valued.slice,
    valued.measure,
    valued.baseline_value,
    valued.candidate_value,
    valued.candidate_value - valued.baseline_value as difference,
    valued.weighted_difference,
    valued.n,
    valued.weighted_n,
    valued.wins,
    valued.ties,
    valued.losses,
    valued.standard_error

from valued
