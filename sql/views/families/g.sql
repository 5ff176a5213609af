-- G: the sum of gains, each discounted by what was wasted above, as a share of
-- the sum of all gains. Each gain is divided by log2(2 + the cost of the ideal
-- ranking down to its position - the gains of the run down to it); a position
-- costs its ideal gain, but at least 1 (trec_eval).
with lengths as (

    select
        running_gains.run_id,
        running_gains.judgment_set_id,
        running_gains.query_id,
        running_gains.measure,
        count(*) as ideal_length

    from running_gains

    where
        running_gains.family = 'G'
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
        running_gains.cg,
        lengths.ideal_length,
        least(running_gains.position, lengths.ideal_length) as ideal_position

    from running_gains

    inner join lengths using (run_id, judgment_set_id, query_id, measure)

    where
        running_gains.family = 'G'
        and running_gains.part = 'run'
        and running_gains.gain <> 0

),

gained as (

    select
        placed.run_id,
        placed.judgment_set_id,
        placed.query_id,
        placed.measure,
        sum(
            placed.gain
            / log2(
                2
                + running_gains.cost
                + greatest(placed.position - placed.ideal_length, 0)
                - placed.cg
            )
            order by placed.position
        ) as gain_sum

    from placed

    inner join running_gains
        on
            placed.run_id = running_gains.run_id
            and placed.judgment_set_id = running_gains.judgment_set_id
            and placed.query_id = running_gains.query_id
            and placed.measure = running_gains.measure
            and placed.ideal_position = running_gains.position

    where
        running_gains.family = 'G'
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
        when gain_sums.ideal_cg > 0
            then
                coalesce(gained.gain_sum, 0) / gain_sums.ideal_cg
        else 0
    end as value,
    gain_sums.ideal_cg <= 0 as nothing_relevant

from gain_sums

left join gained using (run_id, judgment_set_id, query_id, measure)

where gain_sums.family = 'G'
