-- One row is the value of a measure for a run, as a report contains it, or for a
-- system that stands in for its replicates.
select
    runs.name as candidate,
    judgment_sets.name as judgment_set,
    runs.dataset, measure, n,
    value as candidate_value
from summarized_values
inner join runs using (run_id)
inner join judgment_sets using (judgment_set_id)
where
    run_id = $run_id
    and judgment_set_id = $judgment_set_id
    and attribute is null
    and list_contains($measures, measure)
order by list_position($measures, measure)
