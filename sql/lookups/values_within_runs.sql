-- The values of a field of the rows of each run: the least and the greatest.
-- Without $run_field, all rows are of one run.
with named_rows as (
    select
        coalesce(source_rows.fields[$run_field], '') as run,
        trim(source_rows.fields[$value_field]) as field_value,
        source_rows.line_number
    from source_rows
)

select
    named_rows.run,
    min(named_rows.field_value) as least,
    max(named_rows.field_value) as greatest
from named_rows
group by named_rows.run
order by min(named_rows.line_number)
