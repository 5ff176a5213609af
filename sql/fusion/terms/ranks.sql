-- (n - position + 1) / n for the n documents that a run shows for a query.
with lengths as (

    select
        fused_runs.place,
        run_queries.query_id,
        run_queries.retrieved

    from run_queries

    inner join fused_runs using (run_id)

)

select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    (lengths.retrieved - fused_entries.position + 1)
    / lengths.retrieved as term

from fused_entries

inner join lengths using (place, query_id)
