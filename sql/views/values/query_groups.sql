-- One row is a query in a group that has values of its own: all queries
-- (attribute is null), or a slice, which is its value of an attribute that queries
-- of its dataset have (slice is null if that value is not known). Queries are those
-- that are judged, and those with a loaded value.
with attributes as (
    select distinct
        query_attributes.dataset, query_attributes.attribute
    from query_attributes
)

select
    grouped_queries.judgment_set_id, grouped_queries.query_id, grouped_queries.is_judged,
    cast(null as varchar) as attribute,
    cast(null as varchar) as slice
from grouped_queries
union all
select
    grouped_queries.judgment_set_id, grouped_queries.query_id, grouped_queries.is_judged,
    attributes.attribute,
    query_attributes.attribute_value as slice
from grouped_queries
inner join judgment_sets using (judgment_set_id)
inner join attributes using (dataset)
left join query_attributes using (dataset, query_id, attribute)
