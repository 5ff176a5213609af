-- One row is a registered measure with its parameters spelled out (see settings), and what each
-- grade that gains something is worth to it (see grade_gains).
with graded as (
    select
        basis,
        list(grade) as grades,
        list(gain) as gains_of_grades
    from grade_gains
    where gain <> 0
    group by basis
)

select *
from settings
left join graded using (basis)
