update judgment_set_parents
set parent_name = $name
where
    parent_kind = 'judgments'
    and parent_id = $id
