-- One row is a dataset whose queries have attributes, with the number of these,
-- and of their values: each of these makes a slice.
select
    query_attributes.dataset,
    count(distinct query_attributes.attribute) as attributes,
    count(distinct row(query_attributes.attribute, query_attributes.attribute_value)) as slices
from query_attributes
group by query_attributes.dataset
