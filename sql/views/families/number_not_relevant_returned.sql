-- num_nonrel_judged_ret: the number of returned documents that were judged not
-- relevant (trec_eval).
with not_relevant as (

    select
        hits.run_id,
        hits.judgment_set_id,
        hits.query_id,
        measures.measure,
        count(*) as found

    from hits

    inner join measures
        on hits.grade < measures.rel

    where
        measures.family = 'num_nonrel_judged_ret'
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
    coalesce(not_relevant.found, 0) as value,
    false as nothing_relevant

from evaluated_queries

cross join measures

left join not_relevant using (run_id, judgment_set_id, query_id, measure)

where measures.family = 'num_nonrel_judged_ret'
