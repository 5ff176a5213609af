-- One row is the value of a measure for a run at a cutoff, or at a level of
-- recall.
select
    run_values.run, run_values.run_id, run_values.judgment_set, run_values.dataset,
    run_values.measure, measures.cutoff, measures.level, run_values.value, run_values.n
from run_values
inner join measures using (measure)
where
    list_contains($run_ids, run_values.run_id)
    and list_contains($judgment_set_ids, run_values.judgment_set_id)
    and list_contains($measures, run_values.measure)
