-- The sets that a judgment set is built from, with their present names and
-- hashes: they may be removed or replaced later.
insert into judgment_set_parents by name
with parents as (
    select 'judgments' as parent_kind, judgment_set_id as parent_id, name, content_hash
    from judgment_sets
    union all
    select 'assessments' as parent_kind, assessment_set_id as parent_id, name, content_hash
    from assessment_sets
)

select
    $judgment_set_id as judgment_set_id,
    parent_kind, parent_id,
    name as parent_name,
    content_hash
from parents
where parent_kind = $parent_kind and list_contains($parent_ids, parent_id)
order by parent_id
