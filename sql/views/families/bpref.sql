-- Bpref: how rarely documents judged not relevant are above relevant ones.
-- Unjudged documents do not count, and neither do those judged not relevant
-- after the first R (Buckley & Voorhees 2004, SIGIR; trec_eval's form). gm_bpref
-- is the same for a query; the value of a run is the geometric mean over
-- queries.
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
    using (run_id, judgment_set_id, query_id, measure, family)

where relevance_counts.family in ('Bpref', 'gm_bpref')
