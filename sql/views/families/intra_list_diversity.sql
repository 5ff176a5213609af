-- ILD: the share of the pairs of shown documents, judged or not, that have
-- different values of an attribute (Ziegler et al. 2005, WWW, for categories).
-- Documents without a value form no pairs; a query without a pair has no value.
select
    shown_queries.run_id,
    shown_queries.judgment_set_id,
    shown_queries.query_id,
    shown_queries.measure,
    shown_queries.retrieved,
    case
        when shown_queries.retrieved = 0 then 0
        else shown_pairs.unlike_pairs / nullif(shown_pairs.pairs, 0)
    end as value,
    false as nothing_relevant

from shown_queries

left join shown_pairs using (run_id, query_id, measure)

where shown_queries.family = 'ILD'
