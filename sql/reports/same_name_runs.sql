-- The run that has a name already, and its content.
select
    runs.run_id,
    runs.content_hash

from runs

where
    runs.dataset = $dataset
    and runs.name = $name
