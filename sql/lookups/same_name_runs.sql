-- The run that already has a name, and the hash of its content.
select
    runs.run_id,
    runs.content_hash

from runs

where
    runs.dataset = $dataset
    and runs.name = $name
