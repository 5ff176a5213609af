-- Rows with numbers in front that have decimal commas in the fields $number_fields, as
-- numbers with decimal points; points separate thousands. What is no such number stays
-- as it is, and is refused later.
select
    source_rows.line_number,
    list_concat(
        list_transform(
            list_select(source_rows.fields, $number_fields),
            lambda number_text: case
                when regexp_full_match(trim(number_text, ' '), $comma_number_pattern)  -- noqa: RF03
                    then replace(replace(number_text, '.', ''), ',', '.')  -- noqa: RF03
                when contains(number_text, '.')  -- noqa: RF03
                    then number_text || ' (commas are decimal marks)'  -- noqa: RF03
                else number_text  -- noqa: RF03
            end
        ),
        source_rows.fields
    ) as fields
from source_rows
