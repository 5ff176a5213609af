-- One row is a query that a judgment set judges, that a run answered, or that a
-- file of queries describes. text and weight are null if they are not known.
with known as (
    select
        judgment_sets.dataset, judged_queries.query_id
    from judged_queries
    inner join judgment_sets using (judgment_set_id)
    union
    select
        runs.dataset, run_queries.query_id
    from run_queries
    inner join runs using (run_id)
    union
    select
        queries.dataset, queries.query_id
    from queries
)

select
    known.dataset, known.query_id, queries.text, queries.weight
from known
left join queries using (dataset, query_id)
