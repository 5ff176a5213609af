-- One row is a dataset whose queries have attributes, with the number of these,
-- and of their values: each of these makes a slice.
with values_of_attributes as (

    select distinct
        query_attributes.dataset,
        query_attributes.attribute,
        query_attributes.attribute_value

    from query_attributes

)

select
    values_of_attributes.dataset,
    count(distinct values_of_attributes.attribute) as attributes,
    count(*) as slices

from values_of_attributes

group by values_of_attributes.dataset
