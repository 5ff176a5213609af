-- A set that a new judgment set was made from has another id here, and the hash
-- of the set that is here.
update judgment_set_parents
set
    parent_id = -$fresh,
    content_hash = coalesce(
        (
            select judgment_sets.content_hash
            from judgment_sets
            where judgment_sets.judgment_set_id = $fresh and $kind = 'judgments'
        ),
        (
            select assessment_sets.content_hash
            from assessment_sets
            where assessment_sets.assessment_set_id = $fresh and $kind = 'assessments'
        ),
        judgment_set_parents.content_hash
    )
where
    judgment_set_parents.judgment_set_id = $own
    and judgment_set_parents.parent_kind = $kind
    and judgment_set_parents.parent_id = $old
