-- One row is a bad line, with the first check that it breaks.
select
    bad_lines.line_number,
    arg_min(bad_lines.check_name, bad_lines.place) as check_name

from bad_lines

group by bad_lines.line_number
