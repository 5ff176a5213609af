-- Rows of a file of documents with named columns; the parameters give the
-- number of each field. A document without a title is called by the beginning
-- of its text.
with fields as (
    select
        source_rows.line_number, source_rows.fields,
        len(source_rows.fields) - $added_fields as field_count,
        source_rows.fields[$doc_field] as doc_id,
        nullif(
            trim(regexp_replace(source_rows.fields[$title_field], '\s+', ' ', 'g')),
            ''
        ) as title,
        nullif(
            trim(regexp_replace(left(source_rows.fields[$text_field], 1000), '\s+', ' ', 'g')),
            ''
        ) as text,
        nullif(trim(source_rows.fields[$url_field]), '') as url
    from source_rows
)

select
    fields.* exclude (text) replace (  -- noqa: RF03
        coalesce(
            fields.title,
            case
                when length(fields.text) > 100 then rtrim(left(fields.text, 99)) || '…'
                else fields.text
            end
        ) as title
    )
from fields
