-- table {table_name}: {row_count} rows belong to the {kind} number {id}, which
-- does not exist; restore the file from a copy
with owned as (

    select columns($key) as id

    from query_table($relation)

),

owners as (

    select columns($key) as id

    from query_table($other)

)

select
    $relation as table_name,
    $kind as kind,
    owned.id,
    count(*) as row_count

from owned

where owned.id not in (select owners.id from owners)

group by owned.id

order by owned.id
