-- The different texts that stand for a grade, but are neither a number nor a
-- label that was given a grade; one of them may be empty. Lines with another
-- fault before that one are left out.
with faults as (

    select
        bad_lines.line_number,
        min(split_part(bad_lines.check_file, '/', 3)) as fault

    from bad_lines

    group by bad_lines.line_number

)

select distinct coalesce(staged.grade_text, '') as grade_text

from staged

inner join faults
    on staged.line_number = faults.line_number

where faults.fault in ('5_label', '5_empty_grade')

order by grade_text
