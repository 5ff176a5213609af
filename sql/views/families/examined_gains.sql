-- The gain per document looked at of a reader who goes down the ranking (see
-- examined_positions).
-- INSQ, inverse squares: the reader wants T perfect documents and is less likely to
-- stop at deeper positions. Of 1000 positions, position i has the weight (2T / (2T +
-- i - 1))^2 (Moffat, Scholer & Thomas 2012, ADCS). No single document satisfies.
-- The "not (but nearly) expected reciprocal rank": the reader is satisfied by a
-- document with a probability equal to its gain. NERR8@k and NERR9@k stop at
-- position k, NERR10 and NERR11 at 1000. Of the readers whom no document down to
-- position i satisfied, the share that goes on is 1 (NERR8), i / (i + 1) (NERR9), p
-- as in RBP (NERR10), or that of INSQ with the same T (NERR11; Azzopardi, Mackenzie &
-- Moffat 2021, ICTIR, equations 8 to 11).
with examined as (

    select
        scaled_gains.run_id,
        scaled_gains.judgment_set_id,
        scaled_gains.query_id,
        scaled_gains.measure,
        scaled_gains.gain,
        case
            when scaled_gains.family = 'INSQ' then 0 else scaled_gains.gain
        end as satisfaction,
        scaled_gains.position,
        examined_positions.examination,
        examined_positions.examination_sum

    from scaled_gains

    inner join examined_positions using (measure, position)

),

reached as (

    select
        examined.run_id,
        examined.judgment_set_id,
        examined.query_id,
        examined.measure,
        examined.position,
        examined.gain,
        examined.satisfaction,
        examined.examination,
        examined.examination_sum,
        -- The product of the probabilities that each document above did not
        -- satisfy the reader, as a sum of logarithms; a sum of decimals is the
        -- same in any order.
        case
            when max(examined.satisfaction) over documents_above = 1 then 0
            else
                coalesce(
                    exp(
                        cast(
                            sum(
                                cast(
                                    case
                                        when examined.satisfaction < 1
                                            then ln(1 - examined.satisfaction)
                                    end as decimal(38, 30)
                                )
                            ) over documents_above as double
                        )
                    ),
                    1
                )
        end as reach

    from examined

    window documents_above as (
        partition by
            examined.run_id,
            examined.judgment_set_id,
            examined.query_id,
            examined.measure
        order by examined.position
        rows between unbounded preceding and 1 preceding
    )

),

sums as (

    select
        reached.run_id,
        reached.judgment_set_id,
        reached.query_id,
        reached.measure,
        sum(
            reached.gain * reached.reach * reached.examination
            order by reached.position
        ) as gain_sum,
        -- Readers whom a document satisfies look at all positions down to it.
        sum(
            reached.satisfaction * reached.reach * reached.examination_sum
            order by reached.position
        ) as satisfied_sum,
        min((1 - reached.satisfaction) * reached.reach) as unsatisfied

    from reached

    group by
        reached.run_id,
        reached.judgment_set_id,
        reached.query_id,
        reached.measure

)

select
    scaled_queries.run_id,
    scaled_queries.judgment_set_id,
    scaled_queries.query_id,
    scaled_queries.measure,
    scaled_queries.retrieved,
    coalesce(
        sums.gain_sum
        / (sums.satisfied_sum + sums.unsatisfied * deepest.examination_sum),
        0
    ) as value,
    scaled_queries.nothing_relevant

from scaled_queries

inner join examined_positions as deepest
    on
        scaled_queries.measure = deepest.measure
        and deepest.depth = deepest.position

left join sums
    on
        scaled_queries.run_id = sums.run_id
        and scaled_queries.judgment_set_id = sums.judgment_set_id
        and scaled_queries.query_id = sums.query_id
        and scaled_queries.measure = sums.measure
