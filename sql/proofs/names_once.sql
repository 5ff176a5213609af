-- table {table_name}: {key} is stored {row_count} times; restore the file from
-- a copy
with stored as (
    select cast(columns($key) as varchar)
    from query_table($relation)
)

select
    $relation as table_name,
    [*columns(*)] as key,
    count(*) as row_count
from stored
group by all
having count(*) > 1
order by key
