-- One row is a judged query of an evaluation under ERR or nERR: the expected
-- reciprocal of the rank at which a reader of the run's ranking stops, and the
-- same for the ideal ranking. A reader reaches a position if no document above
-- satisfied the reader. The product of these probabilities is the exponential
-- of a sum of decimals, because a running sum of doubles would depend on other
-- queries.
with reached as (

    select
        satisfaction_parts.run_id,
        satisfaction_parts.judgment_set_id,
        satisfaction_parts.query_id,
        satisfaction_parts.measure,
        satisfaction_parts.family,
        satisfaction_parts.part,
        satisfaction_parts.position,
        satisfaction_parts.satisfaction,
        coalesce(
            exp(
                cast(
                    sum(
                        cast(
                            ln(1 - satisfaction_parts.satisfaction)
                            as decimal(38, 30)
                        )
                    ) over (
                        partition by
                            satisfaction_parts.run_id,
                            satisfaction_parts.judgment_set_id,
                            satisfaction_parts.query_id,
                            satisfaction_parts.measure,
                            satisfaction_parts.family,
                            satisfaction_parts.part
                        order by satisfaction_parts.position
                        rows between unbounded preceding and 1 preceding
                    ) as double
                )
            ),
            1
        ) as reach

    from satisfaction_parts

),

sums as (

    select
        reached.run_id,
        reached.judgment_set_id,
        reached.query_id,
        reached.measure,
        reached.family,
        sum(
            case
                when reached.part = 'run'
                    then
                        reached.satisfaction * reached.reach / reached.position
            end
            order by reached.position
        ) as err,
        sum(
            case
                when reached.part = 'ideal'
                    then
                        reached.satisfaction * reached.reach / reached.position
            end
            order by reached.position
        ) as ideal_err

    from reached

    group by
        reached.run_id,
        reached.judgment_set_id,
        reached.query_id,
        reached.measure,
        reached.family

)

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    measures.measure,
    measures.family,
    listed_queries.retrieved,
    coalesce(sums.err, 0) as err,
    coalesce(sums.ideal_err, 0) as ideal_err

from listed_queries

inner join measures
    on listed_queries.judged_only = measures.judged_only

left join sums
    on
        listed_queries.run_id = sums.run_id
        and listed_queries.judgment_set_id = sums.judgment_set_id
        and listed_queries.query_id = sums.query_id
        and measures.measure = sums.measure
        and measures.family = sums.family

where measures.family in ('ERR', 'nERR')
