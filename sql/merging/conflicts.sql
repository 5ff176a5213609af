-- One row is what this warehouse and another one say differently of the same
-- query, document or run. loaded_as is the kind of file that has such a fact.
with facts as (
    select
        1 as place,
        'queries' as loaded_as,
        'query' as kind,
        queries.dataset,
        queries.query_id as name,
        unnest(['text', 'weight']) as fact,
        unnest([queries.text, cast(queries.weight as varchar)]) as own,
        unnest([other_queries.text, cast(other_queries.weight as varchar)]) as other
    from queries
    inner join other_queries using (dataset, query_id)
    union all
    select
        1 as place,
        'queries' as loaded_as,
        'query' as kind,
        query_attributes.dataset,
        query_attributes.query_id as name,
        query_attributes.attribute as fact,
        query_attributes.attribute_value as own,
        other_query_attributes.attribute_value as other
    from query_attributes
    inner join other_query_attributes using (dataset, query_id, attribute)
    union all
    select
        2 as place,
        'documents' as loaded_as,
        'document' as kind,
        documents.dataset,
        documents.doc_id as name,
        unnest(['title', 'url']) as fact,
        unnest([documents.title, documents.url]) as own,
        unnest([other_documents.title, other_documents.url]) as other
    from documents
    inner join other_documents using (dataset, doc_id)
    union all
    select
        2 as place,
        'documents' as loaded_as,
        'document' as kind,
        document_attributes.dataset,
        document_attributes.doc_id as name,
        document_attributes.attribute as fact,
        document_attributes.attribute_value as own,
        other_document_attributes.attribute_value as other
    from document_attributes
    inner join other_document_attributes using (dataset, doc_id, attribute)
    union all
    select
        2 as place,
        'known' as loaded_as,
        'query' as kind,
        known_documents.dataset,
        known_documents.query_id as name,
        unnest(['count', 'time'])
        || ' of known document '
        || known_documents.doc_id as fact,
        unnest([
            cast(known_documents.known_count as varchar),
            cast(known_documents.known_at as varchar)
        ]) as own,
        unnest([
            cast(other_known_documents.known_count as varchar),
            cast(other_known_documents.known_at as varchar)
        ]) as other
    from known_documents
    inner join other_known_documents using (dataset, query_id, doc_id)
    union all
    select
        3 as place,
        'run' as loaded_as,
        'run' as kind,
        runs.dataset, runs.name,
        'run_at' as fact,
        cast(runs.run_at as varchar) as own,
        cast(other_runs.run_at as varchar) as other
    from runs
    inner join other_runs using (dataset, name)
    union all
    select
        3 as place,
        'run' as loaded_as,
        'run' as kind,
        runs.dataset, runs.name,
        'tag ' || run_tags.tag as fact,
        run_tags.tag_value as own,
        other_run_tags.tag_value as other
    from runs
    inner join other_runs using (dataset, name)
    inner join run_tags
        on runs.run_id = run_tags.run_id
    inner join other_run_tags
        on other_runs.run_id = other_run_tags.run_id and run_tags.tag = other_run_tags.tag
)

select
    facts.loaded_as, facts.kind, facts.dataset, facts.name, facts.fact, facts.own, facts.other
from facts
where facts.own <> facts.other
order by facts.place, facts.dataset, facts.name, facts.fact
