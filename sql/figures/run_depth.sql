-- How many documents the longest answer of some runs has.
select coalesce(max(retrieved), 0) as depth
from run_queries
where list_contains($run_ids, run_id)
