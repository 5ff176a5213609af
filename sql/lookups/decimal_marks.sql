-- The first number whose point may separate thousands, and its line, in a file
-- where another field has a decimal comma; no row if there is none.
with points as (
    select
        source_rows.line_number,
        trim(source_rows.fields[$number_field], ' ') as number_text
    from source_rows
),

texts as (
    select unnest(source_rows.fields) as text_of_field
    from source_rows
)

select
    points.line_number, points.number_text
from points
where
    regexp_full_match(points.number_text, '[+-]?[1-9][0-9]{0,2}([.][0-9]{3})+')
    and exists (
        select 1
        from texts
        where regexp_full_match(trim(texts.text_of_field, ' '), '[+-]?[0-9.]*[0-9],[0-9]+')
    )
order by points.line_number
limit 1
