-- One row is a judged query of an evaluation under ERR or nERR: the expected
-- reciprocal of the rank at which a reader of the run's ranking stops, and the
-- same for the ideal ranking (see reached_positions).
with sums as (

    select
        reached_positions.run_id,
        reached_positions.judgment_set_id,
        reached_positions.query_id,
        reached_positions.measure,
        reached_positions.family,
        sum(
            case
                when reached_positions.part = 'run'
                    then
                        reached_positions.satisfaction
                        * reached_positions.reach
                        / reached_positions.position
            end
            order by reached_positions.position
        ) as err,
        sum(
            case
                when reached_positions.part = 'ideal'
                    then
                        reached_positions.satisfaction
                        * reached_positions.reach
                        / reached_positions.position
            end
            order by reached_positions.position
        ) as ideal_err

    from reached_positions

    group by
        reached_positions.run_id,
        reached_positions.judgment_set_id,
        reached_positions.query_id,
        reached_positions.measure,
        reached_positions.family

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

inner join measures using (judged_only, known)

left join sums using (run_id, judgment_set_id, query_id, measure, family)

where measures.family in ('ERR', 'nERR')
