-- Rows of a file of known documents with named columns; the parameters give the
-- number of each field. A count is null unless it is a whole number from 1 to
-- 1e9.
with texts as (
    select
        line_number,
        len(fields) - $added_fields as field_count,
        fields[$query_id_field] as query_id,
        fields[$doc_id_field] as doc_id,
        trim(fields[$count_field], ' ') as count_text,
        trim(fields[$time_field]) as time_text
    from source_rows
),

numbers as (
    select
        *,
        case
            when regexp_full_match(count_text, $number_pattern) then try_cast(count_text as double)
        end as known_count
    from texts
)

select
    * replace (
        case
            when known_count between 1 and 1e9 and known_count = trunc(known_count)
                then cast(known_count as bigint)
        end as known_count
    )
from numbers
