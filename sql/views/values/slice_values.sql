-- One row is the value of a registered measure for a slice of an evaluation: that
-- of its judged queries that have one value of an attribute together, or of the
-- run as a whole for these. slice is null for the queries whose value of the
-- attribute is not known.
with sliced_values as (

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

)

select
    runs.dataset,
    sliced_values.run,
    judgment_sets.name as judgment_set,
    sliced_values.run_id,
    sliced_values.judgment_set_id,
    sliced_values.attribute,
    sliced_values.slice,
    sliced_values.measure,
    sliced_values.value,
    sliced_values.weighted_value,
    sliced_values.n,
    sliced_values.weighted_n,
    sliced_values.answered,
    sliced_values.unanswered,
    sliced_values.no_relevant,
    slice_judged_shares.judged_at_k,
    sliced_values.standard_error

from sliced_values

inner join measures using (measure)

inner join slice_judged_shares using (run_id, run, judgment_set_id, attribute)

inner join runs
    on
        sliced_values.run_id = runs.run_id
        and sliced_values.run = runs.name

inner join judgment_sets using (judgment_set_id)

where
    sliced_values.slice is not distinct from slice_judged_shares.slice
    and coalesce(measures.cutoff, 10) = slice_judged_shares.depth
