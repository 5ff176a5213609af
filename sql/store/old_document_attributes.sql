-- The earlier values of the attribute for the staged documents are deleted first.
delete from document_attributes

where
    document_attributes.dataset = $dataset
    and document_attributes.attribute = $attribute
    and document_attributes.doc_id in (select staged.doc_id from staged)
