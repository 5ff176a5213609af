-- The distinct texts given as grades that are neither a number nor a label with
-- a grade; one of them may be empty. Lines that break an earlier check are
-- omitted.
with faults as (

    select
        bad_lines.line_number,
        arg_min(bad_lines.check_name, bad_lines.place) as fault

    from bad_lines

    group by bad_lines.line_number

)

select distinct coalesce(staged.grade_text, '') as grade_text

from staged

inner join faults using (line_number)

where faults.fault in ('grade', 'empty_grade')

order by grade_text
