-- The first bad lines of a file, each with the first check that it breaks, and
-- the number of all bad lines.
select
    bad_lines.line_number,
    arg_min(bad_lines.check_name, bad_lines.place) as check_name,
    count(*) over () as bad_line_count

from bad_lines

group by bad_lines.line_number

order by bad_lines.line_number

limit $shown
