-- The rows of computed_run_queries for a run, as a clean file was read.
insert into run_queries by name
select
    $run_id as run_id,
    *
from read_queries
