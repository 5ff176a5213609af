-- RR@k: 1 / the position of the first relevant document, 0 when none stands
-- among the first k (Kantor & Voorhees 2000, Information Retrieval 2).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    coalesce(1 / relevant_hits.position, 0) as value,
    relevance_counts.relevant = 0 as no_relevant

from relevance_counts

left join relevant_hits
    on
        relevance_counts.run_id = relevant_hits.run_id
        and relevance_counts.judgment_set_id = relevant_hits.judgment_set_id
        and relevance_counts.query_id = relevant_hits.query_id
        and relevance_counts.measure = relevant_hits.measure
        and relevance_counts.family = relevant_hits.family
        and relevant_hits.found = 1

where relevance_counts.family = 'RR'
