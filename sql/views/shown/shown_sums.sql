-- One row is the sum of what the documents add that a run shows to a query (see
-- document_terms), for a measure of whole rankings.
select
    shown_documents.run_id,
    shown_documents.query_id,
    shown_documents.measure,
    sum(document_terms.term order by shown_documents.position) as term_sum

from shown_documents

inner join document_terms using (measure, dataset, doc_id)

group by
    shown_documents.run_id,
    shown_documents.query_id,
    shown_documents.measure
