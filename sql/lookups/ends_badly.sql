-- Whether all bad lines stand below all good ones, as a few lines of totals do, which
-- have no query or no document.
with bad_lines_with_checks as (
    select
        bad_lines.line_number,
        bool_or(bad_lines.check_name in ('query_id', 'document_id')) as lacks_id
    from bad_lines
    group by bad_lines.line_number
),

good_lines as (
    select distinct staged.line_number
    from staged
    anti join bad_lines using (line_number)
)

select
    coalesce(
        min(bad_lines_with_checks.line_number)
        > (select max(good_lines.line_number) from good_lines)
        and bool_and(bad_lines_with_checks.lacks_id)
        and count(*) <= (select count(*) from good_lines),
        false
    ) as ends_badly
from bad_lines_with_checks
