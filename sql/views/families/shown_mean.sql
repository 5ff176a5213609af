-- The measures that are means over the shown documents, judged or not (see
-- document_terms): Popularity, Novelty (Vargas & Castells 2011, RecSys) and
-- TailShare. As the mean of -log2(p / n) is log2(n) minus that of log2(p), a
-- document that nobody knows counts as known to one. A query to which nothing is
-- shown has no value.
select
    shown_queries.run_id,
    shown_queries.judgment_set_id,
    shown_queries.query_id,
    shown_queries.measure,
    shown_queries.retrieved,
    case
        when shown_queries.retrieved = 0 then 0
        when shown_queries.shown = 0 then null
        when shown_queries.family = 'Novelty'
            then
                log2(knowing_queries.knowing)
                - coalesce(shown_sums.term_sum, 0) / shown_queries.shown
        else coalesce(shown_sums.term_sum, 0) / shown_queries.shown
    end as value,
    false as nothing_relevant

from shown_queries

inner join runs using (run_id)

left join knowing_queries using (dataset)

left join shown_sums using (run_id, query_id, measure)

where shown_queries.family in ('Popularity', 'Novelty', 'TailShare')
