-- ndcg_rel: the mean, over all documents with a gain above 0, of nDCG at the
-- position of each; a document that was not returned counts the nDCG of the
-- whole ranking (trec_eval).
with lengths as (

    select
        running_gains.run_id,
        running_gains.judgment_set_id,
        running_gains.query_id,
        running_gains.measure,
        count(*) as ideal_length

    from running_gains

    where
        running_gains.family = 'ndcg_rel'
        and running_gains.part = 'ideal'

    group by
        running_gains.run_id,
        running_gains.judgment_set_id,
        running_gains.query_id,
        running_gains.measure

),

-- The run's ranking can be longer than the ideal ranking.
placed as (

    select
        running_gains.run_id,
        running_gains.judgment_set_id,
        running_gains.query_id,
        running_gains.measure,
        running_gains.position,
        running_gains.gain,
        running_gains.dcg,
        lengths.ideal_length,
        least(running_gains.position, lengths.ideal_length) as ideal_position

    from running_gains

    inner join lengths using (run_id, judgment_set_id, query_id, measure)

    where
        running_gains.family = 'ndcg_rel'
        and running_gains.part = 'run'
        and running_gains.gain > 0

),

reached as (

    select
        placed.run_id,
        placed.judgment_set_id,
        placed.query_id,
        placed.measure,
        count(*) as found,
        sum(placed.dcg / running_gains.dcg order by placed.position)
            as ndcg_sum

    from placed

    inner join running_gains
        on
            placed.run_id = running_gains.run_id
            and placed.judgment_set_id = running_gains.judgment_set_id
            and placed.query_id = running_gains.query_id
            and placed.measure = running_gains.measure
            and placed.ideal_position = running_gains.position

    where
        running_gains.family = 'ndcg_rel'
        and running_gains.part = 'ideal'

    group by
        placed.run_id,
        placed.judgment_set_id,
        placed.query_id,
        placed.measure

)

select
    gain_sums.run_id,
    gain_sums.judgment_set_id,
    gain_sums.query_id,
    gain_sums.measure,
    gain_sums.retrieved,
    case
        when gain_sums.ideal_dcg > 0
            then
                (
                    coalesce(reached.ndcg_sum, 0)
                    + (lengths.ideal_length - coalesce(reached.found, 0))
                    * gain_sums.dcg
                    / gain_sums.ideal_dcg
                )
                / lengths.ideal_length
        else 0
    end as value,
    gain_sums.ideal_dcg <= 0 as nothing_relevant

from gain_sums

left join lengths using (run_id, judgment_set_id, query_id, measure)

left join reached using (run_id, judgment_set_id, query_id, measure)

where gain_sums.family = 'ndcg_rel'
