-- The measures that compare each gain with the ideal ranking down to its position.
-- G: the sum of gains, each discounted by what was wasted above, as a share of
-- the sum of all gains. Each gain is divided by log2(2 + the cost of the ideal
-- ranking down to its position - the gains of the run down to it); a position
-- costs its ideal gain, but at least 1 (trec_eval).
-- ndcg_rel: the mean, over all documents with a gain above 0, of nDCG at the position
-- of each; a document that was not returned counts the nDCG of the whole ranking
-- (trec_eval).
with lengths as (

    select
        running_gains.run_id,
        running_gains.judgment_set_id,
        running_gains.query_id,
        running_gains.measure,
        count(*) as ideal_length

    from running_gains

    where running_gains.part = 'ideal'

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
        running_gains.family,
        running_gains.position,
        running_gains.gain,
        running_gains.cg,
        running_gains.dcg,
        lengths.ideal_length,
        least(running_gains.position, lengths.ideal_length) as ideal_position

    from running_gains

    inner join lengths using (run_id, judgment_set_id, query_id, measure)

    where
        running_gains.part = 'run'
        and (
            running_gains.gain > 0
            or (running_gains.family = 'G' and running_gains.gain <> 0)
        )

),

sums as (

    select
        placed.run_id,
        placed.judgment_set_id,
        placed.query_id,
        placed.measure,
        count(*) as found,
        sum(
            case placed.family
                when 'G'
                    then
                        placed.gain
                        / log2(
                            2
                            + running_gains.cost
                            + greatest(placed.position - placed.ideal_length, 0)
                            - placed.cg
                        )
                else placed.dcg / running_gains.dcg
            end
            order by placed.position
        ) as term_sum

    from placed

    inner join running_gains
        on
            placed.run_id = running_gains.run_id
            and placed.judgment_set_id = running_gains.judgment_set_id
            and placed.query_id = running_gains.query_id
            and placed.measure = running_gains.measure
            and placed.ideal_position = running_gains.position

    where running_gains.part = 'ideal'

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
        when gain_sums.ideal_dcg <= 0 then 0
        when gain_sums.family = 'G'
            then coalesce(sums.term_sum, 0) / gain_sums.ideal_cg
        else
            (
                coalesce(sums.term_sum, 0)
                + (lengths.ideal_length - coalesce(sums.found, 0))
                * gain_sums.dcg
                / gain_sums.ideal_dcg
            )
            / lengths.ideal_length
    end as value,
    gain_sums.ideal_dcg <= 0 as nothing_relevant

from gain_sums

left join lengths using (run_id, judgment_set_id, query_id, measure)

left join sums using (run_id, judgment_set_id, query_id, measure)

where gain_sums.family in ('G', 'ndcg_rel')
