-- Rows of a file of documents with named columns; the parameters give the
-- number of each field. A document without a title is called by the beginning
-- of its text.
with texts as (
    select
        line_number, fields,
        len(fields) - $added_fields as field_count,
        fields[$doc_id_field] as doc_id,
        nullif(trim(regexp_replace(fields[$title_field], '\s+', ' ', 'g')), '') as title,
        nullif(trim(regexp_replace(left(fields[$text_field], 1000), '\s+', ' ', 'g')), '') as text,
        nullif(trim(fields[$url_field]), '') as url
    from source_rows
)

select
    * exclude (text) replace (
        coalesce(
            title,
            case when length(text) > 100 then rtrim(left(text, 99)) || '…' else text end
        ) as title
    )
from texts
