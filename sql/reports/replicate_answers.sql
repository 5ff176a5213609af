-- One row is a judged query of a system, with the number of its replicates and of
-- those that answered it. A system is divided where no two replicates answered the
-- same query, as with folds.
with counted as (
    select
        system_runs.system_id, system_runs.system, evaluated_queries.judgment_set_id,
        evaluated_queries.query_id,
        count(*) as replicates,
        sum(case when evaluated_queries.retrieved > 0 then 1 else 0 end) as answers,
        max(evaluated_queries.retrieved) as retrieved
    from evaluated_queries
    inner join system_runs using (run_id)
    where evaluated_queries.judgment_set_id = $judgment_set_id
    group by
        system_runs.system_id, system_runs.system, evaluated_queries.judgment_set_id,
        evaluated_queries.query_id
)

select
    counted.system_id, counted.system, counted.judgment_set_id, counted.query_id,
    counted.replicates, counted.answers, counted.retrieved,
    counted.replicates > 1
    and max(counted.answers) over (partition by counted.system_id) <= 1 as is_divided
from counted
