-- The content of the run that has a name already.
select runs.content_hash

from runs

where
    runs.dataset = $dataset
    and runs.name = $name
