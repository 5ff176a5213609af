-- One row is a pair of run and judgment set whose values are stored in another
-- warehouse.
select
    other_evaluations.run_id,
    other_evaluations.judgment_set_id

from other_evaluations

order by
    other_evaluations.run_id,
    other_evaluations.judgment_set_id
