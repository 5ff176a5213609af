-- RR@k: 1 / the position of the first relevant document, or 0 if none is among
-- the first k (Kantor & Voorhees 2000, Information Retrieval 2).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    coalesce(1 / relevant_places.position, 0) as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

left join relevant_places
    on
        relevance_counts.run_id = relevant_places.run_id
        and relevance_counts.judgment_set_id = relevant_places.judgment_set_id
        and relevance_counts.query_id = relevant_places.query_id
        and relevance_counts.rel = relevant_places.rel
        and relevance_counts.judged_only = relevant_places.judged_only
        and relevance_counts.known = relevant_places.known
        and relevant_places.found = 1
        and relevance_counts.found >= relevant_places.found

where relevance_counts.family = 'RR'
