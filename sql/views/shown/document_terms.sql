-- One row is what a document of a dataset adds to a measure of whole rankings
-- wherever it is shown, if that is not 0: its popularity, the logarithm of its
-- popularity for novelty, or 1 if it is in the tail.
select
    shown_measures.measure,
    document_popularities.dataset,
    document_popularities.doc_id,
    case shown_measures.family
        when 'Popularity' then document_popularities.popularity
        else log2(document_popularities.popularity)
    end as term

from document_popularities

cross join shown_measures

where shown_measures.family in ('Popularity', 'Novelty')

union all

select
    shown_measures.measure,
    tail_documents.dataset,
    tail_documents.doc_id,
    1 as term

from tail_documents

inner join shown_measures using (tail)
