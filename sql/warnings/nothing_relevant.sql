-- One row is a measure for which no query of a judgment set has a relevant
-- document, the highest grade in the set, the quartiles of those above 0, and how the
-- set was made.
select
    run_values.judgment_set,
    max(judgments.grade) as highest_grade,
    quantile_disc(
        case when judgments.grade > 0 then judgments.grade end, [0.25, 0.5, 0.75]
    ) as quartiles,
    judgment_sets.policy, run_values.measure
from run_values
inner join judgments using (judgment_set_id)
left join judgment_sets using (judgment_set_id)
where
    list_contains($run_ids, run_values.run_id)
    and list_contains($judgment_set_ids, run_values.judgment_set_id)
    and list_contains($measures, run_values.measure)
    and run_values.no_relevant > 0
    and run_values.no_relevant = run_values.answered + run_values.unanswered
group by
    run_values.judgment_set_id, run_values.judgment_set, judgment_sets.policy, run_values.measure
order by run_values.judgment_set_id, list_position($measures, run_values.measure)
