-- The places of the fields whose values are numbers in all rows.
select source_rows.place

from source_rows

group by source_rows.place

having
    count(source_rows.field_value) > 0
    and count(source_rows.field_value)
    = count(try_cast(source_rows.field_value as double))

order by source_rows.place
