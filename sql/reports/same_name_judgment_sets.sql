-- The content of the judgment set that has a name already.
select judgment_sets.content_hash

from judgment_sets

where
    judgment_sets.dataset = $dataset
    and judgment_sets.name = $name
