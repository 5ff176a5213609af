-- Every run, with the other engine that evaluated it, if any, and the only
-- judgments that it has there.
select
    runs.run_id, runs.dataset, runs.name, external_evaluations.engine,
    external_evaluations.judgment_set_id,
    judgment_sets.name as judgment_set
from runs
left join external_evaluations using (run_id)
left join judgment_sets using (judgment_set_id)
order by runs.run_id
