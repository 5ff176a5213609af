-- run {run}, query {query}: a document is ranked twice, or the positions are
-- not 1, 2, 3 and so on; remove the run, and load it again
with marks as not materialized (
    select
        run_id, query_id,
        unnest([hash(run_id, query_id, doc_id), hash(run_id, query_id, position)]) as mark
    from rankings
),

repeated as (
    select mark
    from marks
    group by mark
    having count(*) > 1
),

-- What is there twice has the same hash twice. Other hashes may be the same, so
-- that these queries are looked at again, by the ids themselves.
suspects as (
    select run_id, query_id
    from marks
    semi join repeated using (mark)
    union
    select run_id, query_id
    from rankings
    group by all
    having min(position) <> 1 or max(position) <> count(*)
)

select
    run_id,
    query_id as query
from rankings
semi join suspects using (run_id, query_id)
group by all
having
    count(distinct doc_id) <> count(*)
    or count(distinct position) <> count(*)
    or min(position) <> 1
    or max(position) <> count(*)
order by all
