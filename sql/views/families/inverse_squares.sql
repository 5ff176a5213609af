-- INSQ, inverse squares: the gain per document looked at of a reader who wants
-- T perfect documents and is less likely to stop at deeper positions. Of 1000
-- positions, position i has the weight (2T / (2T + i - 1))^2 (Moffat, Scholer &
-- Thomas 2012, ADCS).
with gained as (

    select
        scaled_gains.run_id,
        scaled_gains.judgment_set_id,
        scaled_gains.query_id,
        scaled_gains.measure,
        sum(
            scaled_gains.gain * examined_positions.examination
            order by scaled_gains.position
        ) as gain_sum

    from scaled_gains

    inner join examined_positions using (measure, position)

    where scaled_gains.family = 'INSQ'

    group by
        scaled_gains.run_id,
        scaled_gains.judgment_set_id,
        scaled_gains.query_id,
        scaled_gains.measure

)

select
    scaled_queries.run_id,
    scaled_queries.judgment_set_id,
    scaled_queries.query_id,
    scaled_queries.measure,
    scaled_queries.retrieved,
    coalesce(gained.gain_sum, 0) / deepest.examination_sum as value,
    scaled_queries.nothing_relevant

from scaled_queries

inner join examined_positions as deepest
    on
        scaled_queries.measure = deepest.measure
        and deepest.depth = deepest.position

left join gained
    on
        scaled_queries.run_id = gained.run_id
        and scaled_queries.judgment_set_id = gained.judgment_set_id
        and scaled_queries.query_id = gained.query_id
        and scaled_queries.measure = gained.measure

where scaled_queries.family = 'INSQ'
