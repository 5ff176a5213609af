-- One row is what it takes to load a judgment set again from its file: also its
-- policy, and the set that it includes.
select
    judgment_sets.source, judgment_sets.policy, judgment_set_parents.parent_name,
    judgment_set_parents.content_hash as parent_content_hash
from judgment_sets
left join judgment_set_parents
    on
        judgment_sets.judgment_set_id = judgment_set_parents.judgment_set_id
        and judgment_set_parents.parent_kind = 'judgments'
where judgment_sets.judgment_set_id = $id
