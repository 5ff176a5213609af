-- One row is the value of a measure for a run, as a report contains it.
select
    run_values.run as candidate,
    run_values.judgment_set,
    run_values.dataset,
    run_values.measure,
    run_values.n,
    run_values.value as candidate_value

from run_values

where
    run_values.run_id = $run_id
    and run_values.judgment_set_id = $judgment_set_id
    and list_contains($measures, run_values.measure)

order by list_position($measures, run_values.measure)
