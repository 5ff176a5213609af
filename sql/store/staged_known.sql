-- Rows of a file of known documents with named columns; the parameters give the
-- number of each field. A count is null unless it is a whole number from 1 to
-- 1e9. A time is written out; a number of seconds (9 or 10 digits) or
-- milliseconds (12 or 13 digits) since 1970 becomes such a text.
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
        fields.line_number,
        fields.field_count,
        fields.query_id,
        fields.doc_id,
        fields.count_text,
        fields.time_text,
        case
            when regexp_full_match(fields.count_text, $number_pattern)
                then try_cast(fields.count_text as double)
        end as known_count,
        case
            when
                regexp_full_match(
                    fields.time_text, '([0-9]{9,10}|[0-9]{12,13})([.][0-9]*)?'
                )
                then cast(fields.time_text as double)
        end as since_1970

    from fields

)

select
    numbers.line_number,
    numbers.field_count,
    numbers.query_id,
    numbers.doc_id,
    numbers.count_text,
    case
        when numbers.since_1970 is null then numbers.time_text
        else
            cast(
                make_timestamp(
                    cast(
                        trunc(
                            numbers.since_1970
                            * case
                                when numbers.since_1970 < 1e11 then 1000000
                                else 1000
                            end
                        ) as bigint
                    )
                ) as varchar
            )
    end as time_text,
    case
        when
            numbers.known_count between 1 and 1e9
            and numbers.known_count = trunc(numbers.known_count)
            then cast(numbers.known_count as bigint)
    end as known_count

from numbers
