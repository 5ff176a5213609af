-- One row is a measure for which no query of a judgment set has a relevant
-- document, and the highest grade in the set.
select
    run_values.judgment_set,
    max(judgments.grade) as highest_grade,
    run_values.measure

from run_values

inner join judgments using (judgment_set_id)

where
    list_contains($run_ids, run_values.run_id)
    and list_contains($judgment_set_ids, run_values.judgment_set_id)
    and list_contains($measures, run_values.measure)
    and run_values.no_relevant = run_values.answered + run_values.unanswered

group by
    run_values.judgment_set_id,
    run_values.judgment_set,
    run_values.measure

order by
    run_values.judgment_set_id,
    list_position($measures, run_values.measure)
