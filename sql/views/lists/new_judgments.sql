-- One row is a judged document that its query does not know (see
-- known_documents). There are rows only if some measure takes known documents
-- out.
select
    judgments.judgment_set_id,
    judgments.query_id,
    judgments.doc_id,
    judgments.grade

from judgments

inner join judgment_sets using (judgment_set_id)

inner join omitting_datasets using (dataset)

left join omitted_documents using (dataset, query_id, doc_id)

where omitted_documents.doc_id is null
