-- Rows of judgments that state no grade, with the grade of all in front.
select
    source_rows.line_number,
    list_prepend($grade, source_rows.fields) as fields
from source_rows
