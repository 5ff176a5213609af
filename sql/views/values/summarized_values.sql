-- One row is the value of a registered measure for an evaluation: the mean over
-- its judged queries, or their sum or geometric mean if the measure is one.
-- Values are added in the order of query ids, so that the result is the same to
-- the last bit with any number of threads. judged_at_k is the mean share of
-- judged documents among the first k, where k is the cutoff of the measure, or
-- 10 if it has none. The table stored_run_values stores these rows.
with sums as (

    select
        summands.run_id,
        summands.judgment_set_id,
        summands.measure,
        summands.summary,
        sum(summands.summand order by summands.query_id) as value_sum,
        count(summands.value) as n,
        sum(case when summands.nothing_relevant then 1 else 0 end)
            as no_relevant,
        case
            when
                count(summands.value) > 1
                and summands.summary = 'mean'
                then
                    stddev_samp(
                        summands.value
                        order by summands.query_id
                    )
                    / sqrt(count(summands.value))
        end as standard_error

    from summands

    group by
        summands.run_id,
        summands.judgment_set_id,
        summands.measure,
        summands.summary

)

select
    sums.run_id,
    sums.judgment_set_id,
    sums.measure,
    case sums.summary
        when 'sum' then sums.value_sum
        when 'geometric' then exp(sums.value_sum / nullif(sums.n, 0))
        else sums.value_sum / nullif(sums.n, 0)
    end as value,
    sums.n,
    sums.no_relevant,
    coalesce(run_judged_shares.share_sum, 0) / judgment_sets.query_count
        as judged_at_k,
    sums.standard_error

from sums

inner join judgment_sets using (judgment_set_id)

inner join measures using (measure)

left join run_judged_shares
    on
        sums.run_id = run_judged_shares.run_id
        and sums.judgment_set_id = run_judged_shares.judgment_set_id
        and coalesce(measures.cutoff, 10) = run_judged_shares.depth
