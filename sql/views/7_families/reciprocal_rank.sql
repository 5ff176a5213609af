-- RR@k: 1 / the position of the first relevant document, 0 when none stands
-- among the first k (Kantor & Voorhees 2000, Information Retrieval 2).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.found > 0
            then 1 / relevance_counts.first_position
        else 0
    end as value,
    relevance_counts.relevant = 0 as no_relevant

from relevance_counts

where relevance_counts.family = 'RR'
