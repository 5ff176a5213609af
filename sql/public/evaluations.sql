-- One row is an evaluation: a run and a judgment set for which values are
-- stored. answered counts the queries that both have, unanswered those that
-- only the judgment set has, and unjudged_queries those that only the run has.
-- engine is null where the rankings are in this warehouse; else it names the
-- engine that evaluated them.
select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    evaluations.run_id, evaluations.judgment_set_id, evaluations.answered, evaluations.unanswered,
    evaluations.unjudged_queries, external_evaluations.engine, external_evaluations.dialect,
    external_evaluations.ndcg_sql_version
from store.evaluations
inner join store.runs using (run_id)
inner join store.judgment_sets using (judgment_set_id)
left join store.external_evaluations using (run_id, judgment_set_id)
