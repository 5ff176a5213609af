-- The "not (but nearly) expected reciprocal rank": the gain per document looked
-- at of a reader who goes down the ranking and is satisfied by a document with a
-- probability equal to its gain. NERR8@k and NERR9@k stop at position k, NERR10
-- and NERR11 at 1000. Of the readers whom no document down to position i
-- satisfied, the share that goes on is 1 (NERR8), i / (i + 1) (NERR9), p as in
-- RBP (NERR10), or that of INSQ with the same T (NERR11; see examined_positions;
-- Azzopardi, Mackenzie & Moffat 2021, ICTIR, equations 8 to 11).
with reached as (

    select
        scaled_gains.run_id,
        scaled_gains.judgment_set_id,
        scaled_gains.query_id,
        scaled_gains.measure,
        scaled_gains.family,
        scaled_gains.position,
        scaled_gains.gain,
        -- The product of the probabilities that each document above did not
        -- satisfy the reader, as a sum of logarithms; a sum of decimals is the
        -- same in any order.
        case
            when max(scaled_gains.gain) over documents_above = 1 then 0
            else
                coalesce(
                    exp(
                        cast(
                            sum(
                                cast(
                                    case
                                        when scaled_gains.gain < 1
                                            then ln(1 - scaled_gains.gain)
                                    end as decimal(38, 30)
                                )
                            ) over documents_above as double
                        )
                    ),
                    1
                )
        end as reach

    from scaled_gains

    where scaled_gains.family in ('NERR8', 'NERR9', 'NERR10', 'NERR11')

    window documents_above as (
        partition by
            scaled_gains.run_id,
            scaled_gains.judgment_set_id,
            scaled_gains.query_id,
            scaled_gains.measure
        order by scaled_gains.position
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
            reached.gain * reached.reach * examined_positions.examination
            order by reached.position
        ) as gain_sum,
        -- Readers whom a document satisfies look at all positions down to it.
        sum(
            reached.gain * reached.reach * examined_positions.examination_sum
            order by reached.position
        ) as satisfied_sum,
        min((1 - reached.gain) * reached.reach) as unsatisfied

    from reached

    inner join examined_positions using (measure, position)

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

where scaled_queries.family in ('NERR8', 'NERR9', 'NERR10', 'NERR11')
