-- Rows of a file of values that another program computed; the parameters give
-- the number of each field.
select
    source_rows.line_number, source_rows.fields,
    len(source_rows.fields) - $added_fields as field_count,
    source_rows.fields[$query_id_field] as query_id,
    cast(source_rows.fields[$run_field] as varchar) as run,
    cast(source_rows.fields[$measure_field] as varchar) as measure,
    cast(source_rows.fields[$value_field] as varchar) as value_text
from source_rows
