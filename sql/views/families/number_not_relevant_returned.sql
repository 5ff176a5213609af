-- num_nonrel_judged_ret: the number of returned documents that were judged not
-- relevant (trec_eval).
with not_relevant as (

    select
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        measures.measure,
        count(*) as found

    from listed_hits

    inner join measures using (known)

    where
        measures.family = 'num_nonrel_judged_ret'
        and not listed_hits.judged_only
        and listed_hits.grade < measures.rel
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
    coalesce(not_relevant.found, 0) as value,
    false as nothing_relevant

from listed_queries

inner join measures using (known)

left join not_relevant using (run_id, judgment_set_id, query_id, measure)

where
    measures.family = 'num_nonrel_judged_ret'
    and not listed_queries.judged_only
