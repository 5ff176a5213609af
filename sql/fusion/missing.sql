-- The same rows, with what each run gives a document that it does not show, too.
with absent as (
    select
        query_id,
        $absent_columns
    from fused_lists
    group by query_id
)

select
    query_id, doc_id,
    $value_columns
from source_rows
inner join absent using (query_id)
