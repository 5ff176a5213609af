-- One row is a known document that some measure takes out.
select dataset, query_id, doc_id
from known_documents
inner join omitting_datasets using (dataset)
