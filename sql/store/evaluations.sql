insert into evaluations by name
select computed_evaluations.*

from computed_evaluations

where
    computed_evaluations.run_id = $run_id
    and computed_evaluations.judgment_set_id = $judgment_set_id
