-- gm_map: what AP is to a query; over queries, the geometric mean is taken
-- (Robertson 2006, CIKM).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.found = 0 then 0
        else relevance_counts.precision_sum / relevance_counts.relevant
    end as value,
    relevance_counts.relevant = 0 as no_relevant

from relevance_counts

where relevance_counts.family = 'gm_map'
