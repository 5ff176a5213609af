-- One row is the comparison of two runs by a registered measure for a slice of
-- the queries: those that have one value of an attribute. It counts the queries
-- for which both runs have a value; means of slices, each times its n, add up
-- to n times the mean of the whole. The slice is null for the queries whose
-- value of the attribute is not known.
with paired as (

    select
        comparisons.dataset,
        comparisons.judgment_set,
        comparisons.baseline,
        comparisons.candidate,
        comparisons.judgment_set_id,
        comparisons.baseline_run_id,
        comparisons.candidate_run_id,
        query_slices.attribute,
        query_slices.slice,
        comparisons.measure,
        comparisons.query_id,
        comparisons.difference,
        measures.summary,
        case
            when comparisons.difference is null then null
            when measures.summary <> 'geometric'
                then comparisons.baseline_value
            -- A value of 0 would make the product of all 0 (trec_eval).
            when comparisons.baseline_value <= 0.00001 then ln(0.00001)
            else ln(comparisons.baseline_value)
        end as baseline_part,
        case
            when comparisons.difference is null then null
            when measures.summary <> 'geometric'
                then comparisons.candidate_value
            when comparisons.candidate_value <= 0.00001 then ln(0.00001)
            else ln(comparisons.candidate_value)
        end as candidate_part,
        -- Times 2 to the power of -100, so that sums of weights stay finite.
        case
            when
                comparisons.difference is not null
                and measures.summary = 'mean'
                then query_slices.weight * power(2, -100)
        end as weight

    from comparisons

    inner join measures
        on comparisons.measure = measures.measure

    inner join query_slices
        on
            comparisons.judgment_set_id = query_slices.judgment_set_id
            and comparisons.query_id = query_slices.query_id

),

sums as (

    select
        paired.dataset,
        paired.judgment_set,
        paired.baseline,
        paired.candidate,
        paired.judgment_set_id,
        paired.baseline_run_id,
        paired.candidate_run_id,
        paired.attribute,
        paired.slice,
        paired.measure,
        paired.summary,
        count(paired.difference) as n,
        sum(paired.baseline_part order by paired.query_id) as baseline_sum,
        sum(paired.candidate_part order by paired.query_id) as candidate_sum,
        sum(paired.difference * paired.weight order by paired.query_id)
        / nullif(sum(paired.weight order by paired.query_id), 0)
            as weighted_difference,
        count(paired.weight) as weighted_n,
        -- What differs in the last bits alone is a tie.
        count(case when paired.difference >= 5e-13 then 1 end) as wins,
        count(case when abs(paired.difference) < 5e-13 then 1 end) as ties,
        count(case when paired.difference <= -5e-13 then 1 end) as losses,
        case
            when count(paired.difference) > 1 and paired.summary = 'mean'
                then
                    stddev_samp(paired.difference order by paired.query_id)
                    / sqrt(count(paired.difference))
        end as standard_error

    from paired

    group by
        paired.dataset,
        paired.judgment_set,
        paired.baseline,
        paired.candidate,
        paired.judgment_set_id,
        paired.baseline_run_id,
        paired.candidate_run_id,
        paired.attribute,
        paired.slice,
        paired.measure,
        paired.summary

),

valued as (

    select
        sums.dataset,
        sums.judgment_set,
        sums.baseline,
        sums.candidate,
        sums.judgment_set_id,
        sums.baseline_run_id,
        sums.candidate_run_id,
        sums.attribute,
        sums.slice,
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
