-- One row is the value of a measure for a run at a cutoff, or at a level of
-- recall, in the order of the runs.
select * exclude (run_id)
from values_along
where list_contains($measures, measure)
order by list_position($run_ids, run_id), list_position($measures, measure)
