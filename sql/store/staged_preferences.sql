-- Rows of a judgment file with groups, with named columns; the parameters give
-- the number of each field. If the file has no subgroups, each group has one.
with fields as (

    select
        source_rows.line_number,
        len(source_rows.fields) - $added_fields as field_count,
        source_rows.fields[$query_field] as query_id,
        source_rows.fields[$group_field] as group_id,
        coalesce(source_rows.fields[$subgroup_field], '') as subgroup_id,
        source_rows.fields[$doc_field] as doc_id,
        source_rows.fields[$grade_field] as grade_text,
        case
            when
                regexp_full_match(
                    source_rows.fields[$grade_field],
                    $number_pattern
                )
                then try_cast(source_rows.fields[$grade_field] as double)
        end as grade

    from source_rows

)

select
    fields.* replace (
        case
            when isinf(fields.grade) then null
            when
                fields.grade = 0
                and regexp_matches(fields.grade_text, '^[^eE]*[1-9]')
                then null
            -- Adding 0 turns a negative zero into a plain one.
            else fields.grade + 0
        end as grade
    )

from fields
