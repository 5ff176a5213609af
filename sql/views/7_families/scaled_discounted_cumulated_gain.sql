-- SDCG@k, scaled DCG: the DCG@k of grades scaled to 0 … 1 (min_rel … max_rel),
-- as a share of what k perfect documents would collect, whether the judgments
-- have that many or not (Moffat, Bailey, Scholer & Thomas 2017, ACM TOIS 35).
with scales as (

    select
        measures.measure,
        measures.judged_only,
        measures.cutoff,
        measures.min_rel,
        measures.max_rel,
        sum(1 / log2(positions.position + 1) order by positions.position)
            as perfect

    from measures

    inner join positions
        on measures.cutoff >= positions.position

    where measures.family = 'SDCG'

    group by
        measures.measure,
        measures.judged_only,
        measures.cutoff,
        measures.min_rel,
        measures.max_rel

),

collected as (

    select
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        scales.measure,
        sum(
            case
                when listed_hits.grade >= scales.max_rel then 1
                else
                    (listed_hits.grade - scales.min_rel)
                    / (scales.max_rel - scales.min_rel)
            end
            / log2(listed_hits.position + 1)
            order by listed_hits.position
        ) as dcg

    from listed_hits

    inner join scales
        on
            listed_hits.judged_only = scales.judged_only
            and listed_hits.position <= scales.cutoff

    where
        listed_hits.grade >= 0
        and listed_hits.grade > scales.min_rel

    group by
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        scales.measure

),

best as (

    select
        judgments.judgment_set_id,
        judgments.query_id,
        scales.measure,
        max(judgments.grade) as grade

    from judgments

    cross join scales

    group by
        judgments.judgment_set_id,
        judgments.query_id,
        scales.measure

)

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    scales.measure,
    listed_queries.retrieved,
    coalesce(collected.dcg, 0) / scales.perfect as value,
    best.grade < 0 or best.grade <= scales.min_rel as no_relevant

from listed_queries

inner join scales
    on listed_queries.judged_only = scales.judged_only

inner join best
    on
        listed_queries.judgment_set_id = best.judgment_set_id
        and listed_queries.query_id = best.query_id
        and scales.measure = best.measure

left join collected
    on
        listed_queries.run_id = collected.run_id
        and listed_queries.judgment_set_id = collected.judgment_set_id
        and listed_queries.query_id = collected.query_id
        and scales.measure = collected.measure
