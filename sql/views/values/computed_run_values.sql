-- One row is the value of a registered measure for an evaluation: that of its
-- judged queries together, or of the run as a whole. The table stored_run_values
-- stores these rows.
select
    summarized_values.run_id,
    summarized_values.judgment_set_id,
    summarized_values.measure,
    summarized_values.value,
    summarized_values.n,
    summarized_values.no_relevant,
    summarized_values.judged_at_k,
    summarized_values.standard_error

from summarized_values

union all

select
    whole_run_values.run_id,
    whole_run_values.judgment_set_id,
    whole_run_values.measure,
    whole_run_values.value,
    whole_run_values.n,
    whole_run_values.no_relevant,
    whole_run_values.judged_at_k,
    whole_run_values.standard_error

from whole_run_values
