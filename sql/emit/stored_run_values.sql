-- The value of a measure for a run.
select run_id, judgment_set_id, measure, value, n, no_relevant, judged_at_k, standard_error
from summarized_values
where attribute is null
