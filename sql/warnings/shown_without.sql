-- One row is a measure of whole rankings, and of the documents that a run shows
-- to judged queries down to its cutoff how many there are, and how many of them lack what it
-- reads: need is 'known' if no query knows them (for Novelty, which then counts
-- one), 'documents' if they are not in the catalogue, 'attributes' if they have
-- no value of its attribute.
with shown as (

    select
        shown_documents.measure,
        shown_documents.dataset,
        shown_documents.doc_id,
        shown_documents.by_attribute,
        count(*) as times

    from shown_documents

    semi join judged_queries
        on
            shown_documents.query_id = judged_queries.query_id
            and judged_queries.judgment_set_id = $judgment_set_id

    where
        shown_documents.run_id = $run_id
        and list_contains($measures, shown_documents.measure)

    group by
        shown_documents.measure,
        shown_documents.dataset,
        shown_documents.doc_id,
        shown_documents.by_attribute

),

described as (

    select
        shown.measure,
        'known' as need,
        shown.times,
        document_popularities.popularity is null as lacks

    from shown

    inner join shown_measures using (measure)

    left join document_popularities using (dataset, doc_id)

    where shown_measures.family = 'Novelty'

    union all

    select
        shown.measure,
        'documents' as need,
        shown.times,
        documents.doc_id is null as lacks

    from shown

    inner join shown_measures using (measure)

    inner join family_needs using (family)

    left join documents using (dataset, doc_id)

    where family_needs.need = 'documents'

    union all

    select
        shown.measure,
        'attributes' as need,
        shown.times,
        document_attributes.attribute is null as lacks

    from shown

    left join document_attributes
        on
            shown.dataset = document_attributes.dataset
            and shown.doc_id = document_attributes.doc_id
            and shown.by_attribute = document_attributes.attribute

    where shown.by_attribute is not null

)

select
    described.measure,
    described.need,
    cast(sum(described.times) filter (where described.lacks) as bigint)
        as lacking,
    cast(sum(described.times) as bigint) as shown

from described

group by
    described.measure,
    described.need

having bool_or(described.lacks)

order by list_position($measures, described.measure)
