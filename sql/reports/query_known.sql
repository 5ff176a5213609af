-- Whether a run answered a query, and whether a judgment set judges it.
select
    exists (
        select 1
        from run_queries
        where
            run_queries.run_id = $run_id
            and run_queries.query_id = $query_id
    ),
    exists (
        select 1
        from judgments
        where
            judgments.judgment_set_id = $judgment_set_id
            and judgments.query_id = $query_id
    )
