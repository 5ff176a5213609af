-- How many rows of a file have a grade of 0 or less.
with grades as (
    select trim(source_rows.fields[$grade_field], ' ') as grade_text
    from source_rows
)

select
    count(*) filter (where try_cast(grades.grade_text as double) <= 0) as row_count
from grades
