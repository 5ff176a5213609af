-- The sets that a judgment set is built from, with their present names and
-- hashes: they may be removed or replaced later.
insert into judgment_set_parents by name
with parents as (
    select
        'judgments' as parent_kind,
        judgment_sets.judgment_set_id as parent_id,
        judgment_sets.name as parent_name,
        judgment_sets.content_hash
    from judgment_sets
    union all
    select
        'assessments' as parent_kind,
        assessment_sets.assessment_set_id as parent_id,
        assessment_sets.name as parent_name,
        assessment_sets.content_hash
    from assessment_sets
)

select
    $judgment_set_id as judgment_set_id,
    parents.parent_kind, parents.parent_id, parents.parent_name, parents.content_hash
from parents
where parents.parent_kind = $parent_kind and list_contains($parent_ids, parents.parent_id)
order by parents.parent_id
