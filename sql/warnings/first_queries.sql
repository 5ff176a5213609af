-- The number of judged queries that a run answered, with documents or without, and one
-- query id each of the run and of the judgment set.
select
    runs.query_count - unjudged_queries as answered,
    (select min(query_id) from run_queries where run_id = $run_id) as own,
    (select min(query_id) from judgments where judgment_set_id = $judgment_set_id) as judged
from evaluations
inner join runs using (run_id)
where run_id = $run_id and judgment_set_id = $judgment_set_id
