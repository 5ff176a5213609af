-- SDCG@k, scaled DCG: the DCG@k of grades scaled from min_rel … max_rel to 0 …
-- 1, divided by the DCG of k perfect documents, whether or not that many are
-- judged (Moffat, Bailey, Scholer & Thomas 2017, ACM TOIS 35).
with perfect as (

    select
        scaled_measures.measure,
        sum(1 / log2(positions.position + 1) order by positions.position)
            as dcg

    from scaled_measures

    inner join positions
        on scaled_measures.depth >= positions.position

    where scaled_measures.family = 'SDCG'

    group by scaled_measures.measure

),

collected as (

    select
        scaled_gains.run_id,
        scaled_gains.judgment_set_id,
        scaled_gains.query_id,
        scaled_gains.measure,
        sum(
            scaled_gains.gain / log2(scaled_gains.position + 1)
            order by scaled_gains.position
        ) as dcg

    from scaled_gains

    where scaled_gains.family = 'SDCG'

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
    coalesce(collected.dcg, 0) / perfect.dcg as value,
    scaled_queries.nothing_relevant

from scaled_queries

inner join perfect using (measure)

left join collected using (run_id, judgment_set_id, query_id, measure)
