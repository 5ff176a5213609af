-- The earlier values of the attribute for the staged queries are deleted first.
delete from query_attributes

where
    query_attributes.dataset = $dataset
    and query_attributes.attribute = $attribute
    and query_attributes.query_id in (select staged.query_id from staged)
