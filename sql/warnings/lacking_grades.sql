-- One row is a measure that needs certain grades, and a judgment set that has
-- none of them. need is 'not_relevant' for documents judged not relevant,
-- 'negative' for documents that are in the pool but not judged.
with needs as (
    select
        unnest($measures) as measure,
        unnest($needs) as need
)

select
    judgment_sets.name as judgment_set,
    need, measure
from judgment_sets
cross join needs
inner join measures using (measure)
left join judgments
    on
        judgment_sets.judgment_set_id = judgments.judgment_set_id
        and if(need = 'negative', grade < 0, grade >= 0 and grade < rel)
where list_contains($judgment_set_ids, judgment_sets.judgment_set_id)
group by judgment_sets.judgment_set_id, judgment_sets.name, need, measure
having count(grade) = 0
order by judgment_sets.judgment_set_id, list_position($measures, measure)
