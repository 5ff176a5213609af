-- One row is the value of a registered measure for a slice of an evaluation: that
-- of its judged queries that have one value of an attribute together, or of the
-- run as a whole for these.
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
    whole_slice_values.run_id,
    whole_slice_values.run,
    whole_slice_values.judgment_set_id,
    whole_slice_values.attribute,
    whole_slice_values.slice,
    whole_slice_values.measure,
    whole_slice_values.value,
    cast(null as double) as weighted_value,
    whole_slice_values.n,
    0 as weighted_n,
    whole_slice_values.answered,
    whole_slice_values.unanswered,
    0 as no_relevant,
    cast(null as double) as standard_error

from whole_slice_values
