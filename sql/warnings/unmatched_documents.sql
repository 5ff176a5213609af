-- Of the queries of the relation ranked: the documents that are judged but were not
-- returned, and those that were returned but are not judged.
with looked_at as materialized (
    from ranked
),

judged as (
    select query_id, doc_id
    from judgments
    where judgment_set_id = $judgment_set_id
),

found as (
    from hits
    where judgment_set_id = $judgment_set_id
),

missed as materialized (
    select run_id, query_id, doc_id
    from (select distinct run_id, query_id from looked_at) as queries
    inner join judged using (query_id)
    anti join found using (run_id, query_id, doc_id)
)

select
    run_id, query_id,
    doc_id as id,
    true as is_judged
from missed
union all
select
    run_id, query_id,
    doc_id as id,
    false as is_judged
from looked_at
semi join missed using (run_id, query_id)
anti join judged using (query_id, doc_id)
