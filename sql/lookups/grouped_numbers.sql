-- The first number whose point may separate thousands, its line, and a number below
-- 1000 without a point, if any; no row unless all numbers are of these two kinds.
-- A zero shows nothing, and is left out.
with texts as (
    select
        source_rows.line_number,
        coalesce(trim(source_rows.fields[$number_field], ' '), '') as number_text
    from source_rows
),

numbers as (
    select
        texts.line_number, texts.number_text,
        regexp_full_match(texts.number_text, '[+-]?[1-9][0-9]{0,2}([.][0-9]{3})+') as is_grouped,
        regexp_full_match(texts.number_text, '[+-]?[1-9][0-9]{0,2}') as is_small
    from texts
    where not regexp_full_match(texts.number_text, '0*')
)

select
    min(numbers.line_number) filter (where numbers.is_grouped) as line_number,
    min_by(numbers.number_text, numbers.line_number) filter (
        where numbers.is_grouped
    ) as number_text,
    min_by(numbers.number_text, numbers.line_number) filter (where numbers.is_small) as small_text
from numbers
having bool_and(numbers.is_grouped or numbers.is_small) and bool_or(numbers.is_grouped)
