select
    'u' || lpad(q::varchar, 9, '0') as query_id,
    (q * 7919 + i * 104729) % 1000003 as doc_id,
    hash(q, i) / 18446744073709551615.0 as score

from range($users) as queries (q)

cross join range($documents) as documents (i)
