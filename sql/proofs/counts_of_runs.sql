-- run {run}: {query_count} queries and {document_count} documents were loaded,
-- but {queries} and {documents} are stored; remove it, and load it again
with found as (

    select
        all_run_queries.run_id,
        count(*) as queries,
        sum(all_run_queries.retrieved) as documents

    from all_run_queries

    group by all_run_queries.run_id

)

select
    runs.name as run,
    runs.query_count,
    runs.document_count,
    coalesce(found.queries, 0) as queries,
    coalesce(found.documents, 0) as documents

from runs

left join found using (run_id)

where
    runs.query_count <> coalesce(found.queries, 0)
    or runs.document_count <> coalesce(found.documents, 0)

order by runs.run_id
