-- One row is a judged query of an evaluation, for each kind of list (see lists). retrieved is how
-- many documents the run returned, listed how many of them the list has.
select
    *,
    'keep' as known,
    false as judged_only,
    retrieved as listed
from evaluated_queries
union all
select
    evaluated_queries.*,
    known, judged_only,
    coalesce(listed, 0) as listed
from evaluated_queries
cross join closed_up
left join list_lengths using (run_id, judgment_set_id, query_id, known, judged_only)
