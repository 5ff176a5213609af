-- unj@k: the share of the first k documents that nobody judged, k being the
-- divisor even where fewer were returned; a negative grade means that nobody
-- did (trec_eval).
with judged as (

    select
        hits.run_id,
        hits.judgment_set_id,
        hits.query_id,
        measures.measure,
        count(*) as judged

    from hits

    inner join measures
        on measures.cutoff is null or hits.position <= measures.cutoff

    where
        measures.family = 'unj'
        and hits.grade >= 0

    group by
        hits.run_id,
        hits.judgment_set_id,
        hits.query_id,
        measures.measure

)

select
    evaluated_queries.run_id,
    evaluated_queries.judgment_set_id,
    evaluated_queries.query_id,
    measures.measure,
    evaluated_queries.retrieved,
    case
        when evaluated_queries.retrieved > 0
            then
                (
                    least(
                        coalesce(measures.cutoff, evaluated_queries.retrieved),
                        evaluated_queries.retrieved
                    )
                    - coalesce(judged.judged, 0)
                )
                / coalesce(measures.cutoff, evaluated_queries.retrieved)
        else 0
    end as value,
    false as no_relevant

from evaluated_queries

cross join measures

left join judged
    on
        evaluated_queries.run_id = judged.run_id
        and evaluated_queries.judgment_set_id = judged.judgment_set_id
        and evaluated_queries.query_id = judged.query_id
        and measures.measure = judged.measure

where measures.family = 'unj'
