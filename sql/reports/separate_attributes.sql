-- One row is the value of one of the requested attributes for a query.
select dataset, query_id, attribute, attribute_value
from query_attributes
where list_contains($attributes, attribute)
