-- One row is the value of a registered measure for a slice of an evaluation: that
-- of its judged queries that have one value of an attribute together, or of the
-- run as a whole for these, if the measure fits the judgment set (see
-- fitting_measures): it rests on all that the run shows to the queries of the slice.
select
    summarized_slices.run_id,
    summarized_slices.run,
    summarized_slices.judgment_set_id,
    summarized_slices.attribute,
    summarized_slices.slice,
    summarized_slices.measure,
    summarized_slices.value,
    summarized_slices.weighted_value,
    summarized_slices.n,
    summarized_slices.weighted_n,
    summarized_slices.answered,
    summarized_slices.unanswered,
    summarized_slices.no_relevant,
    summarized_slices.standard_error

from summarized_slices

union all

select
    run_id,
    runs.name as run,
    judgment_set_id, attribute, slice, measure, value,
    null::double as weighted_value,
    n,
    0 as weighted_n,
    answered, unanswered,
    0 as no_relevant,
    null::double as standard_error

from shown_spread

inner join fitting_measures using (judgment_set_id, measure)

inner join runs using (run_id)

where attribute is not null
