insert into run_queries by name
select computed_run_queries.*
from computed_run_queries
where computed_run_queries.run_id = $run_id
