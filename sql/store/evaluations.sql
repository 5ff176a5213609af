insert into evaluations by name
select
    computed_evaluations.run_id,
    computed_evaluations.judgment_set_id,
    computed_evaluations.answered,
    computed_evaluations.unanswered,
    computed_evaluations.unjudged_queries

from computed_evaluations

where
    computed_evaluations.run_id = $run_id
    and computed_evaluations.judgment_set_id = $judgment_set_id
