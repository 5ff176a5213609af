-- One row is a position of a ranking next to the ideal ranking, for the queries
-- that a page explains.
select
    ndcg_steps.query_id, ndcg_steps.run_id, ndcg_steps.position, ndcg_steps.doc_id, documents.title,
    ndcg_steps.grade, ndcg_steps.gain, ndcg_steps.discounted_gain, ndcg_steps.ideal_doc_id,
    ideal_documents.title as ideal_title,
    ndcg_steps.ideal_gain
from ndcg_steps
left join documents
    on documents.dataset = $dataset and ndcg_steps.doc_id = documents.doc_id
left join documents as ideal_documents
    on ideal_documents.dataset = $dataset and ndcg_steps.ideal_doc_id = ideal_documents.doc_id
where
    list_contains($run_ids, ndcg_steps.run_id)
    and ndcg_steps.judgment_set_id = $judgment_set_id
    and list_contains(
        $query_ids, ndcg_steps.query_id  -- noqa: RF02
    )
    and ndcg_steps.measure = $measure
    and ndcg_steps.position <= $depth
order by ndcg_steps.query_id, list_position($run_ids, ndcg_steps.run_id), ndcg_steps.position
