-- Rows of a judgment file that was read without a look at single lines. A row with
-- anything odd is left out, which the number of rows tells: only the strict
-- reading knows what is wrong with it, or whether anything is.
with named_rows as (

    -- What a file does not have is null.
    select
        cast(null as varchar) as query_id,
        cast(null as varchar) as iteration,
        cast(null as varchar) as doc_id,
        cast(null as varchar) as grade,
        cast(null as varchar) as label

    where false

    union all by name

    select *

    from source_rows

),

numbers as (

    select
        named_rows.query_id,
        named_rows.iteration,
        named_rows.doc_id,
        named_rows.grade as grade_text,
        named_rows.label,
        try_cast(named_rows.grade as double) as grade

    from named_rows

)

select
    -- Nobody asks for the line of a row with which nothing is wrong.
    cast(null as tinyint) as line_number,
    numbers.query_id,
    numbers.doc_id,
    numbers.grade_text,
    nullif(trim(numbers.label), '') as label,
    -- Adding 0 turns a negative zero into a plain one.
    numbers.grade + 0 as grade

from numbers

where
    not coalesce(
        numbers.query_id = ''
        or starts_with(numbers.query_id, '#')
        or numbers.iteration = ''
        or numbers.doc_id = '',
        false
    )
    and isfinite(numbers.grade)
    -- A cast takes these for numbers, too, which they are not by our rules.
    and not (
        $has_signs
        and (
            starts_with(numbers.grade_text, '+')
            or contains(numbers.grade_text, '_')
        )
    )
    and (
        numbers.grade <> 0
        or not regexp_matches(numbers.grade_text, '^[^eE]*[1-9]')
    )
