-- One row is the value of one of the requested attributes for a query.
select
    query_attributes.dataset,
    query_attributes.query_id,
    query_attributes.attribute,
    query_attributes.attribute_value
from query_attributes
where list_contains($attributes, query_attributes.attribute)
