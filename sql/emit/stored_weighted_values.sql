-- No weights of queries are known.
select
    run_id, judgment_set_id, measure,
    null as weighted_value,
    null as weighted_n
from summarized_values
where false
