-- One query of the runs and judgment sets of a dataset.
select min(queries.query_id) as query_id
from (
    select run_queries.query_id
    from run_queries
    inner join runs using (run_id)
    where runs.dataset = $dataset
    union all
    select judgments.query_id
    from judgments
    inner join judgment_sets using (judgment_set_id)
    where judgment_sets.dataset = $dataset
) as queries
