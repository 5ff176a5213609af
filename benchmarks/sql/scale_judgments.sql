-- Five documents of each query are judged, of which four at most are ranked.
select
    'u' || lpad(q::varchar, 9, '0') as query_id,
    (q * 7919 + i * 104729) % 1000003 as doc_id,
    hash(q, i, 'grade') % 4 as grade

from range($users) as queries (q)

cross join range($documents * 5 // 4) as documents (i)

where i % ($documents // 4) = q % ($documents // 4)
