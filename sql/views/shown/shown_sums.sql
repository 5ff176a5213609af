-- One row is the sum of what the documents add that a run shows to a query (see
-- document_terms), for a measure of whole rankings. As doubles, integers and
-- their logarithms are whole numbers of 2^-52; as such they are added up exactly,
-- in whatever order.
select
    shown_documents.run_id,
    shown_documents.query_id,
    shown_documents.measure,
    sum(cast(document_terms.term * power(2, 52) as hugeint)) / power(2, 52)
        as term_sum

from shown_documents

inner join document_terms using (measure, dataset, doc_id)

group by
    shown_documents.run_id,
    shown_documents.query_id,
    shown_documents.measure
