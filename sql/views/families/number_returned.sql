-- NumRet: the number of documents that the run returned; with rel, the number
-- of relevant documents among them (trec_eval).
select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    measures.measure,
    listed_queries.retrieved,
    case
        when measures.rel is null then listed_queries.listed
        else coalesce(relevance_counts.found, 0)
    end as value,
    false as nothing_relevant

from listed_queries

inner join measures using (known)

left join relevance_counts
    using (run_id, judgment_set_id, query_id, measure, family)

where
    measures.family = 'NumRet'
    and not listed_queries.judged_only
