-- One row is a position of a ranking next to the ideal ranking, for the queries
-- that a page explains.
select
    query_id, run_id, position, ndcg_steps.doc_id, documents.title, grade, gain, discounted_gain,
    ideal_doc_id,
    ideal_documents.title as ideal_title,
    ideal_gain
from ndcg_steps
left join documents
    on documents.dataset = $dataset and ndcg_steps.doc_id = documents.doc_id
left join documents as ideal_documents
    on ideal_documents.dataset = $dataset and ideal_doc_id = ideal_documents.doc_id
where
    list_contains($run_ids, run_id)
    and judgment_set_id = $judgment_set_id
    and list_contains(
        $query_ids, query_id  -- noqa: RF02
    )
    and measure = $measure
    and position <= $depth
order by query_id, list_position($run_ids, run_id), position
