-- judgment set {judgment_set}: {query_count} queries and {judgment_count}
-- judgments were loaded, but {queries} and {stored} are stored; remove it,
-- and load it again
select
    judgment_set_id,
    query_count,
    judgment_count,
    count(distinct query_id) as queries,
    count(query_id) as stored
from judgment_sets
left join judgments using (judgment_set_id)
group by all
having queries <> query_count or stored <> judgment_count
order by judgment_set_id
