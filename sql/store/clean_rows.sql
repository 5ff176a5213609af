-- Rows of a file that was read without checking single lines. A row with
-- anything unusual is omitted, which shows in the number of rows: only the
-- strict reading finds what is wrong with it, or whether anything is.
with named_rows as (
    -- A column that the file does not have is null.
    select
        cast(null as varchar) as query_id,
        cast(null as varchar) as iteration,
        cast(null as varchar) as doc_id,
        cast(null as varchar) as number,
        cast(null as varchar) as rank,
        cast(null as varchar) as run,
        cast(null as varchar) as label
    where false
    union all by name
    select *
    from source_rows
),

numbers as (
    select
        named_rows.* replace (try_cast(named_rows.number as double) as number),
        named_rows.number as number_text
    from named_rows
)

select
    numbers.query_id, numbers.doc_id, numbers.number_text, numbers.label,
    -- Adding 0 turns a negative zero into a plain one.
    numbers.number + 0 as number
from numbers
where
    not coalesce(
        numbers.query_id = ''
        or starts_with(numbers.query_id, '#')
        or numbers.iteration = ''
        or numbers.iteration <> $iteration
        or numbers.doc_id = ''
        or numbers.rank = ''
        or numbers.run = ''
        or numbers.run <> $run,
        false
    )
    and isfinite(numbers.number)
    -- The cast accepts such texts, but the strict reading may not.
    and not (
        $has_signs
        and (starts_with(numbers.number_text, '+') or contains(numbers.number_text, '_'))
    )
    and (numbers.number <> 0 or not regexp_matches(numbers.number_text, '^[^eE]*[1-9]'))
