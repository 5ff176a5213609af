-- Rows of a file of queries with named columns; the parameters give the number
-- of each field. A weight is null unless it is 0 or from 1e-100 to 1e100: sums
-- of such weights stay finite and keep their digits.
with texts as (
    select
        line_number, fields,
        len(fields) - $added_fields as field_count,
        fields[$query_id_field] as query_id,
        fields[$text_field] as text,
        trim(fields[$weight_field], ' ') as weight_text
    from source_rows
)

select
    *,
    case
        when
            regexp_full_match(weight_text, $number_pattern)
            and weight_text not like '-%'
            and (
                try_cast(weight_text as double) between 1e-100 and 1e100
                or not regexp_matches(weight_text, '^[^eE]*[1-9]')
            )
            then try_cast(weight_text as double)
    end as weight
from texts
