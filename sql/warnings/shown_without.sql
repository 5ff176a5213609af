-- One row is a measure of whole rankings, and of the documents that a run shows to judged queries
-- down to its cutoff how many there are, and how many of them lack what it reads: need is 'known'
-- if no query knows them (for Novelty, which then counts one), 'documents' if they are not in the
-- catalogue, 'attributes' if they have no value of its attribute.
with shown as (
    select
        measure, family, dataset, doc_id, settings.by_attribute,
        count(*) as times
    from shown_documents
    inner join settings using (basis)
    semi join judged_queries
        on
            shown_documents.query_id = judged_queries.query_id
            and judged_queries.judgment_set_id = $judgment_set_id
    where run_id = $run_id and list_contains($measures, measure) and position <= settings.depth
    group by all
),

described as (
    select
        measure,
        'known' as need,
        times,
        popularity is null as lacks
    from shown
    left join document_popularities using (dataset, doc_id)
    where family = 'Novelty'
    union all
    select
        measure, need, times,
        documents.doc_id is null as lacks
    from shown
    inner join family_needs using (family)
    left join documents using (dataset, doc_id)
    where need = 'documents'
    union all
    select
        measure,
        'attributes' as need,
        times,
        attribute is null as lacks
    from shown
    left join document_attributes
        on
            shown.dataset = document_attributes.dataset
            and shown.doc_id = document_attributes.doc_id
            and by_attribute = attribute
    where by_attribute is not null
)

select
    (select name from runs where run_id = $run_id) as run,
    need, measure,
    cast(sum(times) filter (lacks) as bigint) as lacking,
    cast(sum(times) as bigint) as shown
from described
group by need, measure
having bool_or(lacks)
order by list_position($measures, measure)
