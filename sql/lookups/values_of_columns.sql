-- The values of the fields at some places of each row, apart from blanks; an empty one
-- is null.
with places as (
    select unnest($places) as place
)

select
    places.place,
    nullif(trim(source_rows.fields[places.place], ' '), '') as field_value
from source_rows
cross join places
