-- One row is the value of an attribute of a query, such as device = mobile.
select
    query_attributes.dataset, query_attributes.query_id, query_attributes.attribute,
    query_attributes.attribute_value
from store.query_attributes
