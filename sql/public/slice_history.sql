-- One row is the value of a registered measure for a slice of a run's queries at
-- the time of the run, with the previous run of the same series, its value for
-- the same slice and the difference. If tag is null, the series consists of all
-- runs of the dataset; otherwise it consists of the runs with this value of the
-- tag. A run with tags therefore has several rows: filter by one tag, or by tag
-- is null, and by measure and attribute: the values of all queries that are left
-- are added up for each answer.
select
    slice_history.dataset,
    slice_history.judgment_set,
    slice_history.attribute,
    slice_history.slice as attribute_value,
    slice_history.measure,
    slice_history.tag,
    slice_history.tag_value,
    slice_history.made_at,
    slice_history.run,
    slice_history.value,
    slice_history.previous_run,
    slice_history.previous_value,
    slice_history.difference,
    slice_history.weighted_value,
    slice_history.n,
    slice_history.weighted_n,
    slice_history.judged_at_k,
    slice_history.run_id,
    slice_history.judgment_set_id

from store.slice_history
