-- run {run}: {query_count} queries and {document_count} documents were loaded,
-- but {queries} and {documents} are stored; remove it, and load it again
select
    run_id, query_count, document_count,
    count(query_id) as queries,
    coalesce(sum(retrieved), 0) as documents
from runs
left join computed_run_queries using (run_id)
group by all
having queries <> query_count or documents <> document_count
order by run_id
