-- One row is the value of a registered measure for a slice of an evaluation, with
-- the counts that it is based on. slice is null for the queries whose value of
-- the attribute is not known.
select
    runs.dataset,
    computed_slice_values.run,
    judgment_sets.name as judgment_set,
    computed_slice_values.run_id,
    computed_slice_values.judgment_set_id,
    computed_slice_values.attribute,
    computed_slice_values.slice,
    computed_slice_values.measure,
    computed_slice_values.value,
    computed_slice_values.weighted_value,
    computed_slice_values.n,
    computed_slice_values.weighted_n,
    computed_slice_values.answered,
    computed_slice_values.unanswered,
    computed_slice_values.no_relevant,
    slice_judged_shares.judged_at_k,
    computed_slice_values.standard_error

from computed_slice_values

inner join measures using (measure)

inner join slice_judged_shares using (run_id, run, judgment_set_id, attribute)

inner join runs
    on
        computed_slice_values.run_id = runs.run_id
        and computed_slice_values.run = runs.name

inner join judgment_sets using (judgment_set_id)

where
    computed_slice_values.slice is not distinct from slice_judged_shares.slice
    and coalesce(measures.cutoff, 10) = slice_judged_shares.depth
