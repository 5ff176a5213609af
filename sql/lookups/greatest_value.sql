-- The greatest value of a field, as a number if any value is one.
select trim(source_rows.fields[$value_field]) as field_value
from source_rows
order by try_cast(field_value as double) desc nulls last, field_value desc nulls last
limit 1
