-- IPrec@c, interpolated precision: the highest precision from the position on
-- where a share c of the relevant documents was found; 0 if the run never gets
-- there (van Rijsbergen 1979, Information Retrieval). trec_eval 10 rounds c x R
-- to the nearest whole number; version 9 adds 0.9 and rounds down.
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    coalesce(relevant_places.best_precision, 0) as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

inner join measures using (measure)

left join relevant_places
    on
        relevance_counts.run_id = relevant_places.run_id
        and relevance_counts.judgment_set_id = relevant_places.judgment_set_id
        and relevance_counts.query_id = relevant_places.query_id
        and relevance_counts.rel = relevant_places.rel
        and relevance_counts.judged_only = relevant_places.judged_only
        and relevance_counts.known = relevant_places.known
        and greatest(
            1,
            floor(
                measures.level * relevance_counts.relevant + measures.rounding
            )
        )
        = relevant_places.found

where relevance_counts.family = 'IPrec'
