-- One row is a document that a run returned and that its query does not know, at its position once
-- known documents are taken out, if some measure does so.
select
    run_id, query_id, doc_id,
    cast(row_number() over (partition by run_id, query_id order by position) as integer) as position
from rankings
inner join runs using (run_id)
inner join omitting_datasets using (dataset)
left join omitted_documents using (dataset, query_id, doc_id)
where omitted_documents.doc_id is null
