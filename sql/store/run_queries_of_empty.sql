-- The queries that a run answers without documents, among all that it answers.
insert into run_queries by name
select
    run_id, query_id,
    0 as retrieved
from empty_answers
where run_id = $run_id
