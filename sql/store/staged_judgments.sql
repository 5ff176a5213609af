-- Rows of a judgment file with named columns; the parameters give the number of
-- each field. A grade is a number, or a word to which the user gave a grade. A
-- grade that is neither, or that no double can hold, is null.
with fields as (
    select
        source_rows.line_number,
        len(source_rows.fields) - $added_fields as field_count,
        source_rows.fields[$query_field] as query_id,
        source_rows.fields[$doc_field] as doc_id,
        trim(source_rows.fields[$grade_field], ' ') as grade_text,
        nullif(trim(source_rows.fields[$label_field]), '') as label,
        nullif(trim(source_rows.fields[$subtopic_field]), '') as subtopic,
        source_rows.fields[$assessor_field] as assessor,
        trim(source_rows.fields[$time_field]) as time_text
    from source_rows
),

numbers as (
    select
        fields.* replace (
            coalesce(fields.label, staged_labels.label) as label,
            coalesce($assessor, fields.assessor) as assessor
        ),
        staged_labels.grade as label_grade,
        case
            when regexp_full_match(fields.grade_text, $number_pattern)
                then try_cast(fields.grade_text as double)
        end as grade
    from fields
    left join staged_labels
        on fields.grade_text = staged_labels.label
)

select
    numbers.* replace (
        case
            when numbers.label_grade is not null then numbers.label_grade
            when isinf(numbers.grade) then null
            -- A negative zero becomes a plain one.
            when numbers.grade = 0
                then case when not regexp_matches(numbers.grade_text, '^[^eE]*[1-9]') then 0 end
            else numbers.grade
        end as grade
    )
from numbers
