-- The queries of a run, and how many documents it returned for each, as a clean
-- file was read.
insert into run_queries by name
select
    $run_id as run_id,
    read_queries.query_id,
    read_queries.retrieved

from read_queries
