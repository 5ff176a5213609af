-- The rows of a file, once for each of the columns ($places) that may be their times;
-- $assessor_field is the place of the assessor, or null if there is one.
with places as (
    select unnest($places) as place
)

select
    places.place,
    source_rows.fields[$query_field] as query_id,
    source_rows.fields[$doc_field] as doc_id,
    source_rows.fields[$assessor_field] as assessor,
    trim(source_rows.fields[places.place]) as time_text
from source_rows
cross join places
