-- The rows of computed_run_queries for a run, from the staged rows that it was
-- stored from.
insert into run_queries by name
select
    $run_id as run_id,
    query_id,
    count(*) as retrieved
from staged
group by query_id
