-- What another warehouse knows of queries that are here, too.
update queries
set
    text = coalesce(queries.text, other_queries.text),
    weight = coalesce(queries.weight, other_queries.weight)
from other_queries
where
    queries.dataset = other_queries.dataset
    and queries.query_id = other_queries.query_id
    and (
        (queries.text is null and other_queries.text is not null)
        or (queries.weight is null and other_queries.weight is not null)
    )
