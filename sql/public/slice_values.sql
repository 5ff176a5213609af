-- One row is the value of a registered measure for a slice of a run's queries:
-- those that have one value of an attribute. attribute_value is null for those
-- whose value is not known, so the slices of an attribute cover all judged
-- queries. Filter by run, measure and attribute: the values of all queries that
-- are left are added up for each answer.
select
    group_values.dataset,
    group_values.run,
    group_values.judgment_set,
    group_values.attribute,
    group_values.slice as attribute_value,
    group_values.measure,
    group_values.value,
    group_values.weighted_value,
    group_values.n,
    group_values.weighted_n,
    group_values.answered,
    group_values.unanswered,
    group_values.no_relevant,
    group_values.judged_at_k,
    group_values.standard_error,
    group_values.run_id,
    group_values.judgment_set_id

from store.group_values

where group_values.attribute is not null
