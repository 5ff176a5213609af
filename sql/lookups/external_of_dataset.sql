-- The runs of a dataset that another engine evaluated.
select runs.name

from runs

inner join external_evaluations using (run_id)

where runs.dataset = $dataset

order by runs.run_id
