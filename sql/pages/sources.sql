-- One row is a run or a judgment set that a page is made of: what was loaded, from
-- where, and when.
select
    'judgment set' as kind,
    judgment_sets.name,
    judgment_sets.query_count as queries,
    judgment_sets.judgment_count as documents,
    judgment_sets.source, judgment_sets.content_hash, judgment_sets.loaded_at,
    null as position_rule
from judgment_sets
where judgment_sets.judgment_set_id = $judgment_set_id
union all
select
    'run' as kind,
    runs.name,
    runs.query_count as queries,
    runs.document_count as documents,
    runs.source, runs.content_hash, runs.loaded_at, runs.position_rule
from runs
where list_contains($run_ids, runs.run_id)
order by kind, loaded_at, name
