-- judgment set {judgment_set}: made from {parent_name}, which now has another
-- name or content; restore the file from a copy
with sets as (
    select
        'judgments' as parent_kind,
        judgment_set_id as parent_id,
        name,
        content_hash
    from judgment_sets
    union all
    select
        'assessments' as parent_kind,
        assessment_set_id as parent_id,
        name,
        content_hash
    from assessment_sets
)

select
    judgment_set_id,
    parent_name
from judgment_set_parents
inner join sets using (parent_kind, parent_id)
where
    parent_name <> sets.name
    or judgment_set_parents.content_hash <> sets.content_hash
order by judgment_set_id, parent_id
