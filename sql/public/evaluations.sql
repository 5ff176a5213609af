-- One row is an evaluation: a run and a judgment set for which values are
-- stored. answered counts the queries that both have, unanswered those that
-- only the judgment set has, and unjudged_queries those that only the run has.
-- All are 0 of a run that has only values that another program computed.
select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    evaluations.run_id, evaluations.judgment_set_id, evaluations.answered, evaluations.unanswered,
    evaluations.unjudged_queries
from store.evaluations
inner join store.runs using (run_id)
inner join store.judgment_sets using (judgment_set_id)
