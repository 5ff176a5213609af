-- One row is a judged query of a system, with the number of its replicates and of
-- those that answered it. A system is divided where no two replicates answered the
-- same query, as with folds.
with counted as (
    select
        system_id, system, judgment_set_id, query_id,
        count(*) as replicates,
        count(*) filter (retrieved > 0) as answers,
        max(retrieved) as retrieved
    from evaluated_queries
    inner join system_runs using (run_id)
    where judgment_set_id = $judgment_set_id
    group by all
)

select
    *,
    replicates > 1 and max(answers) over (partition by system_id) <= 1 as is_divided
from counted
