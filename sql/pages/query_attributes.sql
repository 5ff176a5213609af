-- One row is an attribute with its values for the queries of a page, in the order
-- of their ids; null where a query has none.
with attributes as (
    select unnest($attributes) as attribute
)

select
    attributes.attribute,
    list(attribute_value order by page_queries.query_id) as attribute_values
from attributes
cross join page_queries
left join query_attributes
    on
        dataset = $dataset
        and attributes.attribute = query_attributes.attribute
        and page_queries.query_id = query_attributes.query_id
group by attributes.attribute
order by list_position($attributes, attributes.attribute)
