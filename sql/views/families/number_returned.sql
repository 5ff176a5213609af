-- NumRet: the number of documents that the run returned; with rel, the number
-- of relevant documents among them (trec_eval).
select
    evaluated_queries.run_id,
    evaluated_queries.judgment_set_id,
    evaluated_queries.query_id,
    measures.measure,
    evaluated_queries.retrieved,
    case
        when measures.rel is null then evaluated_queries.retrieved
        else coalesce(relevance_counts.found, 0)
    end as value,
    false as nothing_relevant

from evaluated_queries

cross join measures

left join relevance_counts
    using (run_id, judgment_set_id, query_id, measure, family)

where measures.family = 'NumRet'
