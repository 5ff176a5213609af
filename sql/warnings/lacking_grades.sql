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
    needs.need, needs.measure
from judgment_sets
cross join needs
inner join measures using (measure)
where
    list_contains($judgment_set_ids, judgment_sets.judgment_set_id)
    and not exists (
        select 1
        from judgments
        where
            judgments.judgment_set_id = judgment_sets.judgment_set_id
            and (
                (needs.need = 'negative' and judgments.grade < 0)
                or (
                    needs.need = 'not_relevant'
                    and judgments.grade >= 0
                    and judgments.grade < measures.rel
                )
            )
    )
order by judgment_sets.judgment_set_id, list_position($measures, needs.measure)
