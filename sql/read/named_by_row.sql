-- Rows of a list, with the documents in front. If the list has no field for
-- documents, or no row names one, each document is named by the number of its
-- row.
with numbered as (
    select
        source_rows.line_number, source_rows.fields,
        row_number() over (order by source_rows.line_number) as row_name,
        max(source_rows.fields[$document_field]) over () as greatest_name
    from source_rows
)

select
    numbered.line_number,
    list_prepend(
        case
            when coalesce(numbered.greatest_name, '') = '' then cast(numbered.row_name as varchar)
            else numbered.fields[$document_field]
        end,
        numbered.fields
    ) as fields
from numbered
