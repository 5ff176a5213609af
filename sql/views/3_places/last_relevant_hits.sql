-- One row is the last relevant document that a run returned within the cutoff
-- of a measure; found counts them down to it. Cutoffs between the same two
-- relevant documents have the same one (position) on a list (rel, judged_only).
select
    relevant_places.run_id,
    relevant_places.judgment_set_id,
    relevant_places.query_id,
    relevance_measures.measure,
    relevance_measures.family,
    relevant_places.rel,
    relevant_places.judged_only,
    relevant_places.position,
    relevant_places.found

from relevant_places

inner join relevance_measures
    on
        relevant_places.rel = relevance_measures.rel
        and relevant_places.judged_only = relevance_measures.judged_only
        and (
            relevance_measures.cutoff is null
            or relevant_places.position <= relevance_measures.cutoff
        )
        and (
            relevant_places.next_position is null
            or relevant_places.next_position > relevance_measures.cutoff
        )
