-- What was known of the same queries makes room.
delete from query_attributes

where
    query_attributes.dataset = $dataset
    and query_attributes.attribute = $attribute
    and query_attributes.query_id in (select staged.query_id from staged)
