-- One row is the value of a registered measure for an evaluation: the mean over
-- its judged queries, or their sum or geometric mean if the measure is one (see
-- summarized_parts). The table stored_run_values stores these rows.
select
    summarized_parts.run_id,
    summarized_parts.judgment_set_id,
    summarized_parts.measure,
    summarized_parts.value,
    summarized_parts.n,
    summarized_parts.no_relevant,
    coalesce(run_judged_shares.judged_at_k, 0) as judged_at_k,
    summarized_parts.standard_error

from summarized_parts

left join run_judged_shares using (run_id, judgment_set_id, measure)

where not summarized_parts.is_sliced
