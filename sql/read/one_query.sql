-- Rows of a file that names no query, with the query that the user named in
-- front.
select
    source_rows.line_number,
    list_prepend($query, source_rows.fields) as fields
from source_rows
