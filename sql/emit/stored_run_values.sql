-- One row is the value of a measure for a run.
select
    summarized_values.run_id, summarized_values.judgment_set_id, summarized_values.measure,
    summarized_values.value, summarized_values.n, summarized_values.no_relevant,
    summarized_values.judged_at_k, summarized_values.standard_error
from summarized_values
where summarized_values.attribute is null
