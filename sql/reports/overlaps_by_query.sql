-- One row is the rank-biased overlap of two runs for a query.
select
    $run as run,
    $other_run as other_run,
    $judgment_set as judgment_set,
    overlap_queries.query_id,
    overlap_queries.value as rank_biased_overlap,
    overlap_queries.shared as shared_documents,
    overlap_queries.answered_by_both,
    overlap_queries.relevant_in_both,
    overlap_queries.relevant_in_run_only,
    overlap_queries.relevant_in_other_only

from overlap_queries

order by overlap_queries.query_id
