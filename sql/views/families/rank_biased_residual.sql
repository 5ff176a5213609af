-- rbp_resid: how much the unjudged documents could add to rbp if all of them
-- had the highest grade: those in the run's ranking and, if there are any,
-- those that would follow after its end (Moffat & Zobel 2008, ACM TOIS 27(1);
-- trec_eval's form).
with judged as (

    select
        hits.run_id,
        hits.judgment_set_id,
        hits.query_id,
        measures.measure,
        count(*) as judged,
        sum(power(measures.p, hits.position - 1) order by hits.position)
        * (1 - max(measures.p)) as weight

    from hits

    cross join measures

    where
        measures.family = 'rbp_resid'
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
        when evaluated_queries.retrieved = coalesce(judged.judged, 0) then 0
        else 1 - coalesce(judged.weight, 0)
    end as value,
    false as nothing_relevant

from evaluated_queries

cross join measures

left join judged using (run_id, judgment_set_id, query_id, measure)

where measures.family = 'rbp_resid'
