-- One row is a judged document that its query does not know, if some measure takes known documents
-- out.
select judgment_set_id, query_id, doc_id, grade
from judgments
inner join judgment_sets using (judgment_set_id)
inner join omitting_datasets using (dataset)
left join omitted_documents using (dataset, query_id, doc_id)
where omitted_documents.doc_id is null
