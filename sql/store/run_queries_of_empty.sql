-- The queries that a run answers without documents, among all that it answers.
insert into run_queries by name
from external_run_queries
where run_id = $run_id
