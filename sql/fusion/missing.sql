-- The same rows, with what a run gives a document that it does not show.
with missing as (
    select
        place, query_id,
        $missing as missing
    from fused_lists
),

rest as (
    select
        query_id,
        $missing_columns
    from missing
    group by all
)

select
    query_id, doc_id,
    $filled_columns
from source_rows
inner join rest using (query_id)
