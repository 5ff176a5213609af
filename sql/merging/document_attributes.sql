-- The attributes of documents in another warehouse that are not here.
insert into document_attributes (dataset, doc_id, attribute, attribute_value)
select
    other_document_attributes.dataset,
    other_document_attributes.doc_id,
    other_document_attributes.attribute,
    other_document_attributes.attribute_value

from other_document_attributes

anti join document_attributes using (dataset, doc_id, attribute)
