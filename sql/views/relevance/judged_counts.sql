-- One row is a judged query of an evaluation under a measure of judged
-- documents: how many documents the run shows within the cutoff, and how many
-- of them are judged. A negative grade counts as unjudged.
with judged as (

    select
        hits.run_id,
        hits.judgment_set_id,
        hits.query_id,
        measures.measure,
        measures.family,
        count(*) as judged

    from hits

    inner join measures
        on measures.cutoff is null or hits.position <= measures.cutoff

    where
        measures.family in ('Judged', 'unj')
        and hits.grade >= 0

    group by
        hits.run_id,
        hits.judgment_set_id,
        hits.query_id,
        measures.measure,
        measures.family

)

select
    evaluated_queries.run_id,
    evaluated_queries.judgment_set_id,
    evaluated_queries.query_id,
    measures.measure,
    measures.family,
    evaluated_queries.retrieved,
    measures.cutoff,
    least(
        coalesce(measures.cutoff, evaluated_queries.retrieved),
        evaluated_queries.retrieved
    ) as shown,
    coalesce(judged.judged, 0) as judged

from evaluated_queries

cross join measures

left join judged using (run_id, judgment_set_id, query_id, measure, family)

where measures.family in ('Judged', 'unj')
