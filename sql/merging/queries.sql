-- The queries of another warehouse that are not here.
insert into queries (dataset, query_id, text, weight)
select
    other_queries.dataset,
    other_queries.query_id,
    other_queries.text,
    other_queries.weight

from other_queries

anti join queries using (dataset, query_id)
