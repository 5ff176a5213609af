-- The runs that another engine evaluated.
select
    external_evaluations.run_id,
    runs.name as run,
    runs.dataset,
    external_evaluations.engine,
    external_evaluations.judgment_set_id,
    judgment_sets.name as judgment_set

from external_evaluations

inner join runs using (run_id)

inner join judgment_sets using (judgment_set_id)

order by external_evaluations.run_id
