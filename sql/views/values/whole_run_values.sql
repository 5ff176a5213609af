-- One row is the value of a registered measure for a group of the judged queries of
-- an evaluation (see query_groups), if it is one of the run as a whole and fits the
-- judgment set (see fitting_measures): it rests on all that the run shows to these
-- queries, and no query has a value.
select
    run_family_values.run_id,
    run_family_values.run,
    run_family_values.judgment_set_id,
    run_family_values.attribute,
    run_family_values.slice,
    run_family_values.measure,
    run_family_values.value,
    cast(null as double) as weighted_value,
    run_family_values.n,
    0 as weighted_n,
    group_answers.answered,
    group_answers.unanswered,
    0 as no_relevant,
    group_answers.judged_at_k,
    cast(null as double) as standard_error

from run_family_values

inner join fitting_measures using (judgment_set_id, measure)

inner join measures using (measure)

inner join group_answers
    on
        run_family_values.run_id = group_answers.run_id
        and run_family_values.run = group_answers.run
        and run_family_values.judgment_set_id = group_answers.judgment_set_id
        and run_family_values.attribute
        is not distinct from group_answers.attribute
        and run_family_values.slice is not distinct from group_answers.slice
        and coalesce(measures.cutoff, 10) = group_answers.depth
