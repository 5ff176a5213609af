-- NumRel: the number of relevant documents, returned or not (trec_eval).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    relevance_counts.relevant as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

where relevance_counts.family = 'NumRel'
