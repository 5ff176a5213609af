-- Store the staged attributes of queries.
insert into query_attributes (dataset, query_id, attribute, attribute_value)
select distinct
    $dataset as dataset,
    query_id, attribute, attribute_value
from staged_attributes
