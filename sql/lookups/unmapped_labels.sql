-- The distinct texts given as grades that are neither a number nor a label with
-- a grade; one of them may be empty. Lines that break an earlier check are
-- omitted.
select distinct coalesce(staged.grade_text, '') as grade_text

from staged

inner join source_rows using (line_number)

where source_rows.check_name in ('grade', 'empty_grade')

order by grade_text
