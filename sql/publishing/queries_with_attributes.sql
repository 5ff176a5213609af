-- One row is a query, as in queries, with its attributes as columns. A column is
-- null if the query does not have the attribute.
with attributes_of_queries as (
    select
        dataset, query_id,
        map(
            list(attribute order by attribute), list(attribute_value order by attribute)
        ) as attributes
    from query_attributes
    group by dataset, query_id
)

select dataset, query_id, text, weight, weight_share, attributes
from known_queries
left join weight_shares using (dataset, query_id)
left join attributes_of_queries using (dataset, query_id)
