-- One row is a query that a judgment set judges, that a run answered, or that a
-- file of queries describes. text and weight are null if they are not known.
select
    known_queries.dataset,
    known_queries.query_id,
    known_queries.text,
    known_queries.weight

from store.known_queries
