-- Rows of a file of queries with a meaning: field numbers say what stands
-- where. A weight that is not a finite number of 0 or more is null.
with fields as (

    select
        source_rows.line_number,
        source_rows.fields,
        len(source_rows.fields) - $added_fields as field_count,
        source_rows.fields[$query_field] as query_id,
        source_rows.fields[$text_field] as text,
        trim(source_rows.fields[$weight_field], ' ') as weight_text

    from source_rows

)

select
    fields.line_number,
    fields.fields,
    fields.field_count,
    fields.query_id,
    fields.text,
    fields.weight_text,
    case
        when
            regexp_full_match(
                fields.weight_text,
                '[+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?'
            )
            and isfinite(try_cast(fields.weight_text as double))
            and (
                try_cast(fields.weight_text as double) > 0
                or not regexp_matches(fields.weight_text, '^[^eE]*[1-9]')
            )
            then try_cast(fields.weight_text as double)
    end as weight

from fields
