-- An empty field gives no value of the attribute.
insert into document_attributes (dataset, doc_id, attribute, attribute_value)
select
    $dataset as dataset,
    staged.doc_id,
    $attribute as attribute,
    staged.fields[$field] as attribute_value

from staged

where coalesce(staged.fields[$field], '') <> ''
