-- Remove the values of attributes that staged ones replace.
delete from query_attributes
using staged_attributes
where
    query_attributes.dataset = $dataset
    and query_attributes.query_id = staged_attributes.query_id
    and query_attributes.attribute = staged_attributes.attribute
