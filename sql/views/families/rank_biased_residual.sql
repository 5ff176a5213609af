-- rbp_resid: how much the unjudged documents could add to rbp if all of them
-- had the highest grade: those in the run's ranking and, if there are any,
-- those that would follow after its end (Moffat & Zobel 2008, ACM TOIS 27(1);
-- trec_eval's form).
with judged as (

    select
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        measures.measure,
        count(*) as judged,
        sum(
            power(measures.p, listed_hits.position - 1)
            order by listed_hits.position
        )
        * (1 - max(measures.p)) as weight

    from listed_hits

    inner join measures using (known)

    where
        measures.family = 'rbp_resid'
        and not listed_hits.judged_only
        and listed_hits.grade >= 0

    group by
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        measures.measure

)

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    measures.measure,
    listed_queries.retrieved,
    case
        when listed_queries.listed = coalesce(judged.judged, 0) then 0
        else 1 - coalesce(judged.weight, 0)
    end as value,
    false as nothing_relevant

from listed_queries

inner join measures using (known)

left join judged using (run_id, judgment_set_id, query_id, measure)

where
    measures.family = 'rbp_resid'
    and not listed_queries.judged_only
