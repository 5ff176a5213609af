-- listed_queries: a judged query of an evaluation, for each kind of list (see lists). retrieved is
-- how many documents the run returned, listed how many of them the list has. Known documents cannot
-- be taken out of rankings that are elsewhere.
select
    evaluated_queries.*,
    kinds.*,
    case
        when kinds.judged_only or kinds.known = 'omit' then coalesce(listed, 0)
        else retrieved
    end as listed
from evaluated_queries
cross join (select distinct known, judged_only from settings) as kinds
left join list_lengths using (run_id, judgment_set_id, query_id, known, judged_only)
where kinds.known = 'keep' or run_id not in (select run_id from external_evaluations)
