-- One row is the value of a registered measure for a slice of a run's queries:
-- those that have one value of an attribute. attribute_value is null for those
-- whose value is not known, so the slices of an attribute cover all judged
-- queries. Filter by run, measure and attribute: the values of all queries that
-- are left are added up for each answer.
select
    slice_values.dataset,
    slice_values.run,
    slice_values.judgment_set,
    slice_values.attribute,
    slice_values.slice as attribute_value,
    slice_values.measure,
    slice_values.value,
    slice_values.weighted_value,
    slice_values.n,
    slice_values.weighted_n,
    cast(slice_values.answered as bigint) as answered,
    cast(slice_values.unanswered as bigint) as unanswered,
    cast(slice_values.no_relevant as bigint) as no_relevant,
    slice_values.judged_at_k,
    slice_values.standard_error,
    slice_values.run_id,
    slice_values.judgment_set_id

from store.slice_values
