-- gm_bpref: Bpref for a query; the value of a run is the geometric mean over
-- queries (trec_eval).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.relevant > 0
            then
                coalesce(preferences.preferred, 0) / relevance_counts.relevant
        else 0
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

left join preferences
    on
        relevance_counts.run_id = preferences.run_id
        and relevance_counts.judgment_set_id = preferences.judgment_set_id
        and relevance_counts.query_id = preferences.query_id
        and relevance_counts.measure = preferences.measure
        and preferences.family = 'gm_bpref'

where relevance_counts.family = 'gm_bpref'
