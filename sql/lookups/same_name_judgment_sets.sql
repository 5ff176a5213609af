-- The judgment set that already has a name, and the hash of its content.
select
    judgment_sets.judgment_set_id,
    judgment_sets.content_hash

from judgment_sets

where
    judgment_sets.dataset = $dataset
    and judgment_sets.name = $name
