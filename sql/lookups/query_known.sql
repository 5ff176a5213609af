-- Whether a run answered a query, and whether a judgment set judges it.
select
    $query_id in (
        select run_queries.query_id
        from run_queries
        where run_queries.run_id = $run_id
    ) as is_answered,
    $query_id in (
        select judgments.query_id
        from judgments
        where judgments.judgment_set_id = $judgment_set_id
    ) as is_judged
