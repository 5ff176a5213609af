-- An empty field says nothing of the attribute.
insert into query_attributes (dataset, query_id, attribute, value)
select
    $dataset as dataset,
    staged.query_id,
    $attribute as attribute,
    staged.fields[$field] as value

from staged

where coalesce(staged.fields[$field], '') <> ''
