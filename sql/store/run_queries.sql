insert into run_queries by name
select all_run_queries.*
from all_run_queries
where all_run_queries.run_id = $run_id
