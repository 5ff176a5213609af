-- One row is a judged query of an evaluation under a measure of relevant
-- documents: how many documents the run returned, how many documents are
-- relevant, and how many of these the run found within the cutoff.
select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    relevance_measures.measure,
    relevance_measures.family,
    relevance_measures.cutoff,
    relevance_measures.rel,
    relevance_measures.judged_only,
    relevance_measures.known,
    listed_queries.retrieved,
    listed_queries.listed,
    coalesce(relevant_judgments.relevant, 0) as relevant,
    coalesce(relevant_places.found, 0) as found

from listed_queries

inner join relevance_measures using (judged_only, known)

left join relevant_judgments
    using (judgment_set_id, query_id, rel, known)

left join relevant_places
    on
        listed_queries.run_id = relevant_places.run_id
        and listed_queries.judgment_set_id = relevant_places.judgment_set_id
        and listed_queries.query_id = relevant_places.query_id
        and relevance_measures.rel = relevant_places.rel
        and relevance_measures.judged_only = relevant_places.judged_only
        and relevance_measures.known = relevant_places.known
        and relevance_measures.depth >= relevant_places.position
        and relevance_measures.depth <= relevant_places.last_depth
