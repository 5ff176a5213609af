-- The values of a field of the rows of each run: the least and the greatest.
-- Without $run_field, all rows are of one run.
select
    coalesce(fields[$run_field], '') as run,
    min(trim(fields[$value_field])) as least,
    max(trim(fields[$value_field])) as greatest
from source_rows
group by run
order by min(line_number)
