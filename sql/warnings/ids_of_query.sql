-- The queries of a dataset, and whether they came with a new run, a new judgment set, or
-- the staged rows (new_ids).
select
    new_ids.id,
    true as is_new
from new_ids
union all
select
    run_queries.query_id as id,
    false as is_new
from run_queries
inner join runs using (run_id)
where runs.dataset = $dataset and runs.run_id is distinct from $run_id
union all
select
    judgments.query_id as id,
    false as is_new
from judgments
inner join judgment_sets using (judgment_set_id)
where
    judgment_sets.dataset = $dataset
    and judgment_sets.judgment_set_id is distinct from $judgment_set_id
union all
select
    queries.query_id as id,
    false as is_new
from queries
where queries.dataset = $dataset
