-- One row is what ILD is made of for a query, how many pairs of shown documents have different
-- values of an attribute (total, of found) (Ziegler et al. 2005, for categories). No pair is
-- formed: of n documents, n (n - 1) ordered pairs, those are alike that share a value.
with alike as (
    select
        run_id, query_id, measure, attribute_value,
        count(*) as documents
    from shown_documents
    inner join settings using (basis, by_attribute)
    inner join document_attributes
        on
            shown_documents.dataset = document_attributes.dataset
            and shown_documents.doc_id = document_attributes.doc_id
            and by_attribute = attribute
    where family = 'ILD' and position <= settings.depth
    group by all
)

select
    'run' as side,
    run_id as list_id,
    judgment_set_id, query_id, measure,
    sum(documents) * sum(documents) - sum(documents * documents) as total,
    null as best,
    sum(documents) * (sum(documents) - 1) as found
from alike
inner join evaluated_queries using (run_id, query_id)
group by all
