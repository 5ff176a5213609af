-- Rows of a file of queries with named columns; the parameters give the number
-- of each field. A weight is null unless it is 0 or from 1e-100 to 1e100: sums
-- of such weights stay finite and keep their digits.
with fields as (
    select
        source_rows.line_number, source_rows.fields,
        len(source_rows.fields) - $added_fields as field_count,
        source_rows.fields[$query_field] as query_id,
        source_rows.fields[$text_field] as text,
        trim(source_rows.fields[$weight_field], ' ') as weight_text
    from source_rows
)

select
    fields.*,
    case
        when
            regexp_full_match(fields.weight_text, $number_pattern)
            and fields.weight_text not like '-%'
            and (
                try_cast(fields.weight_text as double) between 1e-100 and 1e100
                or not regexp_matches(fields.weight_text, '^[^eE]*[1-9]')
            )
            then try_cast(fields.weight_text as double)
    end as weight
from fields
