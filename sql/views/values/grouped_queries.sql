-- One row is a query that values of runs may cover: one that a judgment set
-- judges, or one of its dataset with a value that was loaded.
select
    judged_queries.judgment_set_id, judged_queries.query_id,
    true as is_judged
from judged_queries
union all
select distinct
    judgment_sets.judgment_set_id, valued.query_id,
    false as is_judged
from (select run_id, query_id from loaded_values) as valued
inner join runs using (run_id)
inner join judgment_sets using (dataset)
anti join judged_queries using (judgment_set_id, query_id)
