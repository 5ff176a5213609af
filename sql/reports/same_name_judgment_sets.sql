-- The judgment set that has a name already, and its content.
select
    judgment_sets.judgment_set_id,
    judgment_sets.content_hash

from judgment_sets

where
    judgment_sets.dataset = $dataset
    and judgment_sets.name = $name
