-- Whether a run answered a query, and whether a judgment set judges it.
select
    $query_id in (select query_id from run_queries where run_id = $run_id) as is_answered,
    $query_id in (
        select query_id from judgments where judgment_set_id = $judgment_set_id
    ) as is_judged
