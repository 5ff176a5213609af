-- One row is an attribute that documents of a dataset have.
select distinct
    document_attributes.dataset, document_attributes.attribute
from document_attributes
order by document_attributes.dataset, document_attributes.attribute
