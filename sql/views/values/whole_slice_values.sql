-- One row is the value of a registered measure of runs as wholes for a slice of an
-- evaluation, if the measure fits the judgment set (see fitting_measures): it
-- rests on all that the run shows to the queries of the slice, of which it
-- answered some, and others not.
select
    run_family_values.run_id,
    run_family_values.run,
    run_family_values.judgment_set_id,
    run_family_values.attribute,
    run_family_values.slice,
    run_family_values.measure,
    run_family_values.value,
    run_family_values.n,
    shown_answers.answered,
    shown_answers.unanswered

from run_family_values

inner join fitting_measures using (judgment_set_id, measure)

inner join shown_answers
    using (run_id, run, judgment_set_id, attribute, measure)

where run_family_values.slice is not distinct from shown_answers.slice
