-- An empty field says nothing of the attribute.
insert into query_attributes (dataset, query_id, attribute, value)
select
    $dataset,
    staged.query_id,
    $attribute,
    staged.fields[$field]

from staged

where coalesce(staged.fields[$field], '') <> ''
