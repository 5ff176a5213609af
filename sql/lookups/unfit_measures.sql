-- The grades of judgment sets that measures meant for them cannot use.
select
    judgment_sets.judgment_set_id, judgment_sets.name, judgment_sets.dataset,
    unfit_measures.measure, unfit_measures.fault, measures.gains,
    list(unfit_measures.grade order by unfit_measures.grade)
    filter (where unfit_measures.grade is not null) as grades
from unfit_measures
inner join judgment_sets using (judgment_set_id)
inner join measures using (measure)
where list_contains($judgment_set_ids, unfit_measures.judgment_set_id)
group by
    judgment_sets.judgment_set_id, judgment_sets.name, judgment_sets.dataset,
    unfit_measures.measure, unfit_measures.fault, measures.gains
order by judgment_sets.judgment_set_id, unfit_measures.fault, unfit_measures.measure
