-- An attribute of a query, from the table of queries.
select
    'emitted' as dataset,
    cast(given_queries.query_id as varchar) as query_id,
    $attribute as attribute,
    cast(given_queries.attribute_value as varchar) as attribute_value
from given_queries
