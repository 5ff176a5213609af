-- What is known of documents beside their titles, such as their category.

create table document_attributes (
    dataset varchar not null,
    doc_id varchar not null,
    attribute varchar not null,
    attribute_value varchar not null
);

comment on table document_attributes is
'One row is the value of an attribute of a document, such as category = tents.';
