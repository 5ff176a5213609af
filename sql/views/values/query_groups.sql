-- One row is a judged query in a group that values of runs rest on: all judged
-- queries (attribute is null), or a slice, which is its value of an attribute that
-- queries of its dataset have (slice is null if that value is not known).
with attributes as (

    select distinct
        query_attributes.dataset,
        query_attributes.attribute

    from query_attributes

)

select
    judged_queries.judgment_set_id,
    judged_queries.query_id,
    cast(null as varchar) as attribute,
    cast(null as varchar) as slice

from judged_queries

union all

select
    judged_queries.judgment_set_id,
    judged_queries.query_id,
    attributes.attribute,
    query_attributes.attribute_value as slice

from judged_queries

inner join judgment_sets using (judgment_set_id)

inner join attributes using (dataset)

left join query_attributes using (dataset, query_id, attribute)
