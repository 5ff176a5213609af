-- One row is a position of a ranking of a page next to the ideal one: ndcg_steps has no others.
select
    query_id, run, position, ndcg_steps.doc_id, documents.title, grade, gain, discounted_gain,
    ideal_doc_id,
    ideal_documents.title as ideal_title,
    ideal_gain
from ndcg_steps
left join documents
    on documents.dataset = $dataset and ndcg_steps.doc_id = documents.doc_id
left join documents as ideal_documents
    on ideal_documents.dataset = $dataset and ideal_doc_id = ideal_documents.doc_id
where position <= $depth
order by query_id, list_position($run_ids, run_id), position
