-- One row is the value of a measure for a run at a cutoff, or at a level of
-- recall.
select run, run_id, judgment_set, dataset, measure, cutoff, level, value, n
from run_values
inner join measures using (measure)
where
    list_contains($run_ids, run_id)
    and list_contains($judgment_set_ids, judgment_set_id)
    and list_contains($measures, measure)
