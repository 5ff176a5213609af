-- The same rows, with what a run gives a document that it does not show, too: both are
-- formulas on positions, lengths of lists and the number of distinct documents.
with sizes as (
    select
        query_id,
        count(*) as documents
    from source_rows
    group by query_id
),

lengths as (
    select
        query_id,
        $length_columns
    from fused_lists
    group by query_id
)

select
    query_id, doc_id,
    $value_columns
from source_rows
inner join sizes using (query_id)
inner join lengths using (query_id)
