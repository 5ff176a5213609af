-- One row is the value of a measure for a run, as a report contains it, or for a
-- system that stands in for its replicates.
select
    runs.name as candidate,
    judgment_sets.name as judgment_set,
    runs.dataset,
    summarized_values.measure,
    summarized_values.n,
    summarized_values.value as candidate_value

from summarized_values

inner join runs using (run_id)

inner join judgment_sets using (judgment_set_id)

where
    summarized_values.run_id = $run_id
    and summarized_values.judgment_set_id = $judgment_set_id
    and summarized_values.attribute is null
    and list_contains($measures, summarized_values.measure)

order by list_position($measures, summarized_values.measure)
