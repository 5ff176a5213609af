-- One row is the value of an attribute of a document, such as category = tents.
select
    document_attributes.dataset, document_attributes.doc_id, document_attributes.attribute,
    document_attributes.attribute_value
from store.document_attributes
