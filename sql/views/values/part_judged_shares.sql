-- One row is the share of judged documents among the first k that a run returned,
-- where k is the cutoff of a registered measure, or 10 if it has none: the mean over
-- all queries, or over a slice of them.
select
    stored_run_values.run_id,
    stored_run_values.judgment_set_id,
    stored_run_values.measure,
    cast(null as varchar) as attribute,
    cast(null as varchar) as slice,
    stored_run_values.judged_at_k

from stored_run_values

union all

select
    slice_judged_shares.run_id,
    slice_judged_shares.judgment_set_id,
    measures.measure,
    slice_judged_shares.attribute,
    slice_judged_shares.slice,
    slice_judged_shares.judged_at_k

from slice_judged_shares

inner join measures
    on slice_judged_shares.depth = coalesce(measures.cutoff, 10)
