-- One row is an item that a user took later.
select
    (10000 + 157 * queries.query)::varchar as query_id,
    '0' as iteration,
    (queries.query * 104729 % $items)::varchar as doc_id,
    1 as grade

from range($queries) as queries (query)
