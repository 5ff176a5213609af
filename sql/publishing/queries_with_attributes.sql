-- One row is a query, as in queries, with its attributes as columns. A column is
-- null if the query does not have the attribute.
with attributes_of_queries as (
    select
        query_attributes.dataset, query_attributes.query_id,
        map(
            list(query_attributes.attribute order by query_attributes.attribute),
            list(query_attributes.attribute_value order by query_attributes.attribute)
        ) as attributes
    from query_attributes
    group by query_attributes.dataset, query_attributes.query_id
)

select
    known_queries.dataset, known_queries.query_id, known_queries.text, known_queries.weight,
    weight_shares.weight_share, attributes_of_queries.attributes
from known_queries
left join weight_shares using (dataset, query_id)
left join attributes_of_queries using (dataset, query_id)
