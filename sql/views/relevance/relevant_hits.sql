-- One row is a relevant document that a run returned within the cutoff of a
-- measure. found counts the relevant documents down to it, so found / position
-- is the precision there.
select
    relevant_places.run_id,
    relevant_places.run,
    relevant_places.judgment_set_id,
    relevant_places.query_id,
    relevance_measures.measure,
    relevance_measures.family,
    relevant_places.position,
    relevant_places.found

from relevant_places

inner join relevance_measures using (rel, judged_only, known)

where relevant_places.position <= relevance_measures.depth
