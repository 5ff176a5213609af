-- One row is a query that a judgment set judges, that a run answered, or that a
-- file of queries describes. text and weight are null if they are not known;
-- weight_share is the share of traffic where the weights are searches.
select
    known_queries.dataset, known_queries.query_id, known_queries.text, known_queries.weight,
    weight_shares.weight_share
from store.known_queries
left join store.weight_shares using (dataset, query_id)
