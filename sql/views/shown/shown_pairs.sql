-- One row is a query to which a run shows documents that have the attribute of a
-- measure: how many, and how many of the pairs of these have different values.
-- No pair is formed: of n documents, n (n - 1) ordered pairs, those are alike
-- that share a value.
with groups as (

    select
        shown_documents.run_id,
        shown_documents.query_id,
        shown_documents.measure,
        count(*) as alike

    from shown_documents

    inner join document_attributes
        on
            shown_documents.dataset = document_attributes.dataset
            and shown_documents.doc_id = document_attributes.doc_id
            and shown_documents.by_attribute = document_attributes.attribute

    group by
        shown_documents.run_id,
        shown_documents.query_id,
        shown_documents.measure,
        document_attributes.attribute_value

)

select
    groups.run_id,
    groups.query_id,
    groups.measure,
    sum(groups.alike) * (sum(groups.alike) - 1) as pairs,
    sum(groups.alike) * sum(groups.alike) - sum(groups.alike * groups.alike)
        as unlike_pairs

from groups

group by
    groups.run_id,
    groups.query_id,
    groups.measure
