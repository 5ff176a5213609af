-- What was known of the same queries makes room.
delete from queries

where
    queries.dataset = $dataset
    and queries.query_id in (select staged.query_id from staged)
