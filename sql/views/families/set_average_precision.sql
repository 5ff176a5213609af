-- SetAP: precision times recall of all returned documents, as if they all
-- shared one position (Buckley & Voorhees, trec_eval's set_map).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.found > 0
            then
                relevance_counts.found * relevance_counts.found
                / (relevance_counts.listed * relevance_counts.relevant)
        else 0
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

where relevance_counts.family = 'SetAP'
