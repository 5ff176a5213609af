-- One row is what is known of a query for one of the attributes that are asked
-- for.
select
    query_attributes.dataset,
    query_attributes.query_id,
    query_attributes.attribute,
    query_attributes.value

from query_attributes

where list_contains($attributes, query_attributes.attribute)
