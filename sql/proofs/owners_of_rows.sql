-- table {table_name}: {row_count} rows belong to the {kind} number {id}, which
-- does not exist; the next command that writes, such as evaluate, removes them
with owned as (
    select
        columns($key),
        count(*) as row_count
    from query_table($relation)
    group by all
),

counted as (
    select
        concat_ws(', ', *columns($key)) as id,
        owned.row_count
    from owned
),

owners as (
    select concat_ws(', ', *columns($key)) as id
    from query_table($other)
)

select
    $relation as table_name,
    $kind as kind,
    counted.id, counted.row_count
from counted
-- A loaded value that holds with any judgments has no judgment set.
where counted.id <> '' and counted.id not in (select owners.id from owners)
order by counted.id
