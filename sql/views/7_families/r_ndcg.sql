-- Rndcg: the mean of the nDCG at each depth where the ideal list goes from one
-- gain to the next lower one (its end is the last), and of the whole list if
-- that is longer by two or more (trec_eval).
with steps as (

    select
        discounted_gains.run_id,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        discounted_gains.deepest,
        discounted_gains.position,
        discounted_gains.gain,
        lead(discounted_gains.gain) over (
            partition by
                discounted_gains.run_id,
                discounted_gains.judgment_set_id,
                discounted_gains.query_id,
                discounted_gains.deepest
            order by discounted_gains.position
        ) as next_gain

    from discounted_gains

    where
        discounted_gains.part = 'ideal'
        and discounted_gains.deepest in (
            select gain_measures.deepest

            from gain_measures

            where gain_measures.family = 'Rndcg'
        )

),

depths as (

    select
        steps.run_id,
        steps.judgment_set_id,
        steps.query_id,
        steps.deepest,
        steps.position as depth

    from steps

    where
        steps.next_gain is null
        or steps.next_gain < steps.gain

),

-- Both sums are made in the same way, so that they are equal for an ideal list.
sums as (

    select
        depths.run_id,
        depths.judgment_set_id,
        depths.query_id,
        depths.deepest,
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
        on
            depths.run_id = discounted_gains.run_id
            and depths.judgment_set_id = discounted_gains.judgment_set_id
            and depths.query_id = discounted_gains.query_id
            and depths.deepest = discounted_gains.deepest
            and depths.depth >= discounted_gains.position

    where discounted_gains.part in ('run', 'ideal')

    group by
        depths.run_id,
        depths.judgment_set_id,
        depths.query_id,
        depths.deepest,
        depths.depth

),

means as (

    select
        sums.run_id,
        sums.judgment_set_id,
        sums.query_id,
        sums.deepest,
        sum(coalesce(sums.dcg, 0) / sums.ideal_dcg order by sums.depth)
            as ndcg_sum,
        count(*) as depths,
        max(sums.depth) as ideal_length

    from sums

    group by
        sums.run_id,
        sums.judgment_set_id,
        sums.query_id,
        sums.deepest

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
    gain_sums.ideal_dcg <= 0 as no_relevant

from gain_sums

inner join gain_measures
    on gain_sums.measure = gain_measures.measure

inner join listed_queries
    on
        gain_sums.run_id = listed_queries.run_id
        and gain_sums.judgment_set_id = listed_queries.judgment_set_id
        and gain_sums.query_id = listed_queries.query_id
        and gain_measures.judged_only = listed_queries.judged_only

left join means
    on
        gain_sums.run_id = means.run_id
        and gain_sums.judgment_set_id = means.judgment_set_id
        and gain_sums.query_id = means.query_id
        and gain_measures.deepest = means.deepest

where gain_sums.family = 'Rndcg'
