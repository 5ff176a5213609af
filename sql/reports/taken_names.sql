-- One row is a table or view that already has a name of ours.
select tables.table_name

from information_schema.tables as tables

where
    tables.table_catalog = current_database()
    and tables.table_schema = 'main'
    and list_contains($names, tables.table_name)

order by tables.table_name
