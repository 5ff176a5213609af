-- The runs of a dataset.
select
    runs.run_id,
    runs.name

from runs

where runs.dataset = $dataset

order by runs.run_id
