-- An empty field gives no value of the attribute.
insert into query_attributes (dataset, query_id, attribute, attribute_value)
select
    $dataset as dataset,
    staged.query_id,
    $attribute as attribute,
    staged.fields[$field] as attribute_value

from staged

where coalesce(staged.fields[$field], '') <> ''
