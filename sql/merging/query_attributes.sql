-- The attributes of queries in another warehouse that are not here.
insert into query_attributes (dataset, query_id, attribute, attribute_value)
select
    other_query_attributes.dataset,
    other_query_attributes.query_id,
    other_query_attributes.attribute,
    other_query_attributes.attribute_value

from other_query_attributes

anti join query_attributes using (dataset, query_id, attribute)
