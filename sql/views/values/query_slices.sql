-- One row is a judged query with its value of an attribute that queries of its
-- dataset have; slice is null if the value is not known.
with attributes as (

    select distinct
        query_attributes.dataset,
        query_attributes.attribute

    from query_attributes

)

select
    judged_queries.judgment_set_id,
    judged_queries.query_id,
    attributes.attribute,
    query_attributes.attribute_value as slice,
    queries.weight

from judged_queries

inner join judgment_sets
    on judged_queries.judgment_set_id = judgment_sets.judgment_set_id

inner join attributes
    on judgment_sets.dataset = attributes.dataset

left join query_attributes
    on
        judgment_sets.dataset = query_attributes.dataset
        and judged_queries.query_id = query_attributes.query_id
        and attributes.attribute = query_attributes.attribute

left join queries
    on
        judgment_sets.dataset = queries.dataset
        and judged_queries.query_id = queries.query_id
