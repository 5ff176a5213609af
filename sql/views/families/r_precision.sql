-- Rprec: the precision at position R, where R is the number of relevant
-- documents (Buckley & Voorhees 2005, TREC: Experiment and Evaluation).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.relevant > 0
            then coalesce(relevant_places.found, 0) / relevance_counts.relevant
        else 0
    end as value,
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
        and relevance_counts.relevant >= relevant_places.position
        and relevance_counts.relevant <= relevant_places.last_depth

where relevance_counts.family = 'Rprec'
