-- Rows of a judgment file with named columns; the parameters give the number of
-- each field. A grade is a number, or a word to which the user gave a grade. A
-- grade that is neither, or that no double can hold, is null.
with texts as (
    select
        line_number,
        len(fields) - $added_fields as field_count,
        fields[$query_id_field] as query_id,
        fields[$doc_id_field] as doc_id,
        trim(fields[$grade_field], ' ') as grade_text,
        nullif(trim(fields[$label_field]), '') as label,
        nullif(trim(fields[$subtopic_field]), '') as subtopic,
        fields[$assessor_field] as assessor,
        trim(fields[$assessed_at_field]) as time_text
    from source_rows
),

numbers as (
    select
        texts.* replace (
            coalesce(texts.label, staged_labels.label) as label,
            coalesce($assessor, texts.assessor) as assessor
        ),
        staged_labels.grade as label_grade,
        case
            when regexp_full_match(texts.grade_text, $number_pattern)
                then try_cast(texts.grade_text as double)
        end as grade
    from texts
    left join staged_labels on texts.grade_text = staged_labels.label
)

select
    * replace (
        case
            when label_grade is not null then label_grade
            when isinf(grade) then null
            -- A negative zero becomes a plain one.
            when grade = 0 then case when not regexp_matches(grade_text, '^[^eE]*[1-9]') then 0 end
            else grade
        end as grade
    )
from numbers
