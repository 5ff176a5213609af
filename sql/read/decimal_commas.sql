-- Rows with a number in front that has a decimal comma in the field
-- $number_field, as a number with a decimal point; points separate thousands.
-- What is no such number stays as it is, and is refused later.
with numbers as (
    select
        source_rows.line_number, source_rows.fields,
        source_rows.fields[$number_field] as number_text
    from source_rows
)

select
    numbers.line_number,
    list_prepend(
        case
            when regexp_full_match(trim(numbers.number_text, ' '), $comma_number_pattern)
                then replace(replace(numbers.number_text, '.', ''), ',', '.')
            when contains(numbers.number_text, '.')
                then numbers.number_text || ' (commas are decimal marks)'
            else numbers.number_text
        end,
        numbers.fields
    ) as fields
from numbers
