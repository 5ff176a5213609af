-- One row is the value of a registered measure for a slice of a run's queries:
-- those that have one value of an attribute. slice is null for the queries
-- whose value is not known, so the slices of an attribute cover all judged
-- queries.
select
    slice_values.dataset,
    slice_values.run,
    slice_values.judgment_set,
    slice_values.attribute,
    slice_values.slice,
    slice_values.measure,
    slice_values.value,
    slice_values.weighted_value,
    slice_values.n,
    slice_values.weighted_n,
    slice_values.answered,
    slice_values.unanswered,
    slice_values.no_relevant,
    slice_values.judged_at_k,
    slice_values.standard_error,
    slice_values.run_id,
    slice_values.judgment_set_id

from store.slice_values
