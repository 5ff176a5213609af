-- One row is a run or a judgment set that a page is made of: what was loaded, from
-- where, and when.
select
    'judgment set' as kind,
    name,
    query_count as queries,
    judgment_count as documents,
    source, content_hash, loaded_at,
    null as position_rule
from judgment_sets
where judgment_set_id = $judgment_set_id
union all
select
    'run' as kind,
    name,
    query_count as queries,
    document_count as documents,
    source, content_hash, loaded_at, position_rule
from runs
where list_contains($run_ids, run_id)
order by kind, loaded_at, name
