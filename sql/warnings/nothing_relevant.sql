-- One row is a measure for which no query of a judgment set has a relevant
-- document, the highest grade in the set, the quartiles of those above 0, and how the
-- set was made.
select
    judgment_set,
    max(grade) as highest_grade,
    quantile_disc(case when grade > 0 then grade end, [0.25, 0.5, 0.75]) as quartiles,
    policy, measure
from run_values
inner join judgments using (judgment_set_id)
left join judgment_sets using (judgment_set_id)
where
    list_contains($run_ids, run_id)
    and list_contains($judgment_set_ids, judgment_set_id)
    and list_contains($measures, measure)
    and no_relevant > 0
    and no_relevant = answered + unanswered
group by judgment_set_id, judgment_set, policy, measure
order by judgment_set_id, list_position($measures, measure)
