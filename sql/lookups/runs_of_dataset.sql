-- The runs of a dataset whose rankings are in the warehouse.
select
    runs.run_id,
    runs.name

from runs

where
    runs.dataset = $dataset
    and runs.run_id not in (
        select external_evaluations.run_id from external_evaluations
    )

order by runs.run_id
