-- Rows of a run file that was read without a look at single lines. Of a row
-- that is_odd, only the strict reading can tell what is wrong with it, or
-- whether anything is.
with named_rows as (

    -- What a file does not have is null.
    select
        cast(null as varchar) as query_id,
        cast(null as varchar) as iteration,
        cast(null as varchar) as doc_id,
        cast(null as varchar) as score,
        cast(null as varchar) as rank,
        cast(null as varchar) as tag

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
        named_rows.score as score_text,
        named_rows.rank,
        named_rows.tag,
        try_cast(named_rows.score as double) as score

    from named_rows

)

select
    -- Nobody asks for the line of a row with which nothing is wrong.
    cast(null as tinyint) as line_number,
    numbers.query_id,
    numbers.doc_id,
    -- Adding 0 turns a negative zero into a plain one.
    numbers.score + 0 as score,
    coalesce(
        numbers.query_id = ''
        or starts_with(numbers.query_id, '#')
        or numbers.iteration = ''
        or numbers.doc_id = ''
        or numbers.rank = ''
        or numbers.tag <> $tag,
        false
    )
    -- A cast takes these for numbers, too, which they are not by our rules.
    or case
        when numbers.score is null then true
        when not isfinite(numbers.score) then true
        when starts_with(numbers.score_text, '+') then true
        when contains(numbers.score_text, '_') then true
        when numbers.score = 0
            then regexp_matches(numbers.score_text, '^[^eE]*[1-9]')
        else false
    end as is_odd

from numbers
