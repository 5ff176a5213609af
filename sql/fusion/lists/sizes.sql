-- The same rows: how many documents all runs show for the query.
with sizes as (
    select
        query_id,
        count(distinct doc_id) as documents
    from fused_entries
    group by query_id
)

select
    source_rows.*,
    documents
from source_rows
inner join sizes using (query_id)
