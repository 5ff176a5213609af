-- One row is the value of a measure for a slice of the queries of a run, as run_values has it for
-- all queries.
select
    *,
    null::bigint as unjudged_queries
from group_values
where
    list_contains($run_ids, run_id)
    and list_contains($judgment_set_ids, judgment_set_id)
    and list_contains($measures, measure)
    and attribute is not null
