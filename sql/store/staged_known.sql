-- Rows of a file of known documents with named columns; the parameters give the
-- number of each field. A count is null unless it is a whole number from 1 to
-- 1e9.
with fields as (
    select
        source_rows.line_number,
        len(source_rows.fields) - $added_fields as field_count,
        source_rows.fields[$query_field] as query_id,
        source_rows.fields[$doc_field] as doc_id,
        trim(source_rows.fields[$count_field], ' ') as count_text,
        trim(source_rows.fields[$known_time_field]) as time_text
    from source_rows
),

numbers as (
    select
        fields.*,
        case
            when regexp_full_match(fields.count_text, $number_pattern)
                then try_cast(fields.count_text as double)
        end as known_count
    from fields
)

select
    numbers.* replace (
        case
            when
                numbers.known_count between 1 and 1e9
                and numbers.known_count = trunc(numbers.known_count)
                then cast(numbers.known_count as bigint)
        end as known_count
    )
from numbers
