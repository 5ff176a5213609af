-- gm_map: AP for a query; the value of a run is the geometric mean over queries
-- (Robertson 2006, CIKM).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.found = 0 then 0
        else precision_sums.precision_sum / relevance_counts.relevant
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

left join precision_sums
    on
        relevance_counts.run_id = precision_sums.run_id
        and relevance_counts.judgment_set_id = precision_sums.judgment_set_id
        and relevance_counts.query_id = precision_sums.query_id
        and relevance_counts.rel = precision_sums.rel
        and relevance_counts.judged_only = precision_sums.judged_only
        and relevance_counts.found = precision_sums.found

where relevance_counts.family = 'gm_map'
