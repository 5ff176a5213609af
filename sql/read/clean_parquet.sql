-- Rows of a Parquet file with numbers for scores or grades, without those that
-- have anything unusual, which shows in the number of rows; the parameters are
-- the names of its columns.
with named as (
    select
        columns(lambda name: name = $query_column) as query_id,
        columns(lambda name: name = $doc_column) as doc_id,
        columns(lambda name: name = $number_column) as number
    from read_parquet($path, hive_partitioning = false)
),

typed as (
    select
        cast(named.query_id as varchar) as query_id,
        cast(named.doc_id as varchar) as doc_id,
        cast(named.number as double) as number
    from named
)

select
    typed.query_id, typed.doc_id,
    cast(typed.number as varchar) as number_text,
    cast(null as varchar) as label,
    -- Adding 0 turns a negative zero into a plain one.
    typed.number + 0 as number
from typed
where typed.query_id <> '' and typed.doc_id <> '' and isfinite(typed.number)
