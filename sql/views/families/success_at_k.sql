-- Success@k, also called hit rate: 1 if any of the first k documents is
-- relevant, else 0 (Craswell & Hawking 2004, TREC web track).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case when relevance_counts.found > 0 then 1 else 0 end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

where relevance_counts.family = 'Success'
