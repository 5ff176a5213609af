-- One row is an attribute that queries of a dataset have.
select distinct
    query_attributes.dataset, query_attributes.attribute
from query_attributes
order by query_attributes.dataset, query_attributes.attribute
