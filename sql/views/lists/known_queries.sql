-- One row is a query that a judgment set judges, that a run answered, or that a
-- file of queries describes. text and weight are null if they are not known.
with known as (

    select
        judgment_sets.dataset,
        judged_queries.query_id

    from judged_queries

    inner join judgment_sets
        on judged_queries.judgment_set_id = judgment_sets.judgment_set_id

    union

    select
        runs.dataset,
        run_queries.query_id

    from run_queries

    inner join runs
        on run_queries.run_id = runs.run_id

    union

    select
        queries.dataset,
        queries.query_id

    from queries

)

select
    known.dataset,
    known.query_id,
    queries.text,
    queries.weight

from known

left join queries
    on
        known.dataset = queries.dataset
        and known.query_id = queries.query_id
