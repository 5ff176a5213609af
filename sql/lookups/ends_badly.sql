-- Whether all bad lines stand below all good ones, as a line of totals does.
with good_lines as (

    select staged.line_number

    from staged

    anti join bad_lines using (line_number)

)

select
    coalesce(
        (select min(bad_lines.line_number) from bad_lines)
        > (select max(good_lines.line_number) from good_lines),
        false
    ) as ends_badly
