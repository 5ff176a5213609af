-- Rndcg: the mean of nDCG at each depth where the gain of the ideal ranking
-- drops (its end is the last such depth), and of the nDCG of the whole ranking
-- if that is longer than the ideal one by two or more (trec_eval).
with steps as (

    select
        discounted_gains.run_id,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        discounted_gains.list_measure,
        discounted_gains.position,
        discounted_gains.gain,
        lead(discounted_gains.gain) over (
            partition by
                discounted_gains.run_id,
                discounted_gains.judgment_set_id,
                discounted_gains.query_id,
                discounted_gains.list_measure
            order by discounted_gains.position
        ) as next_gain

    from discounted_gains

    where
        discounted_gains.part = 'ideal'
        and discounted_gains.list_measure in (
            select gain_measures.list_measure

            from gain_measures

            where gain_measures.family = 'Rndcg'
        )

),

depths as (

    select
        steps.run_id,
        steps.judgment_set_id,
        steps.query_id,
        steps.list_measure,
        steps.position as depth

    from steps

    where
        steps.next_gain is null
        or steps.next_gain < steps.gain

),

-- Both sums are computed in the same way, so that they are equal for an ideal
-- ranking.
sums as (

    select
        depths.run_id,
        depths.judgment_set_id,
        depths.query_id,
        depths.list_measure,
        depths.depth,
        sum(
            case
                when discounted_gains.part = 'run'
                    then discounted_gains.gain / discounted_gains.discount
            end
            order by discounted_gains.position
        ) as dcg,
        sum(
            case
                when discounted_gains.part = 'ideal'
                    then discounted_gains.gain / discounted_gains.discount
            end
            order by discounted_gains.position
        ) as ideal_dcg

    from depths

    inner join discounted_gains
        using (run_id, judgment_set_id, query_id, list_measure)

    where
        depths.depth >= discounted_gains.position
        and discounted_gains.part in ('run', 'ideal')

    group by
        depths.run_id,
        depths.judgment_set_id,
        depths.query_id,
        depths.list_measure,
        depths.depth

),

means as (

    select
        sums.run_id,
        sums.judgment_set_id,
        sums.query_id,
        sums.list_measure,
        sum(coalesce(sums.dcg, 0) / sums.ideal_dcg order by sums.depth)
            as ndcg_sum,
        count(*) as depths,
        max(sums.depth) as ideal_length

    from sums

    group by
        sums.run_id,
        sums.judgment_set_id,
        sums.query_id,
        sums.list_measure

)

select
    gain_sums.run_id,
    gain_sums.judgment_set_id,
    gain_sums.query_id,
    gain_sums.measure,
    gain_sums.retrieved,
    case
        when means.depths is null then 0
        when listed_queries.listed >= means.ideal_length + 2
            then
                (means.ndcg_sum + gain_sums.dcg / gain_sums.ideal_dcg)
                / (means.depths + 1)
        else means.ndcg_sum / means.depths
    end as value,
    gain_sums.ideal_dcg <= 0 as nothing_relevant

from gain_sums

inner join gain_measures using (measure)

inner join listed_queries
    using (run_id, judgment_set_id, query_id, judged_only, known)

left join means using (run_id, judgment_set_id, query_id, list_measure)

where gain_sums.family = 'Rndcg'
