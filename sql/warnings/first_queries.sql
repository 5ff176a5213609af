-- The number of judged queries that a run answered, with documents or without, and one
-- query id each of the run and of the judgment set.
select
    runs.query_count - evaluations.unjudged_queries as answered,
    (
        select min(run_queries.query_id)
        from run_queries
        where run_queries.run_id = $run_id
    ) as run_query,
    (
        select min(judgments.query_id)
        from judgments
        where judgments.judgment_set_id = $judgment_set_id
    ) as judged_query
from evaluations
inner join runs using (run_id)
where evaluations.run_id = $run_id and evaluations.judgment_set_id = $judgment_set_id
