-- The rows of a Parquet file of events as text; the parameters are the names of
-- its columns. A file without times has no $time_column, one without positions no
-- $position_column.
with named as (
    select
        columns(lambda name: name = $query_column) as query_id,
        columns(lambda name: name = $doc_column) as doc_id,
        columns(lambda name: name = $action_column) as event_action,
        columns(lambda name: name = coalesce($position_column, $doc_column)) as position,
        columns(lambda name: name = coalesce($time_column, $doc_column)) as time
    from read_parquet($path, hive_partitioning = false)
)

select
    cast(named.query_id as varchar) as query_id,
    cast(named.doc_id as varchar) as doc_id,
    cast(named.event_action as varchar) as event_action,
    case when $position_column is not null then cast(named.position as varchar) end as position,
    case when $time_column is not null then cast(named.time as varchar) end as time
from named
