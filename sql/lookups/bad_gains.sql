-- The grades of a judgment set whose gain is too large to be summed, or that a
-- named gain scheme does not name.
select
    judgment_sets.name,
    grade_gains.grade,
    grade_gains.gain_scheme,
    abs(grade_gains.gain) <= 1e300 as unnamed

from grade_gains

inner join judgment_sets
    on grade_gains.judgment_set_id = judgment_sets.judgment_set_id

left join gains
    on
        grade_gains.gain_scheme = gains.gain_scheme
        and grade_gains.grade = gains.grade

where
    grade_gains.judgment_set_id = $judgment_set_id
    and (
        -- This is far below the largest double, so that sums stay finite, too.
        abs(grade_gains.gain) > 1e300
        or (
            grade_gains.gain_scheme not in ('linear', 'exp', 'binary')
            and not starts_with(grade_gains.gain_scheme, '{')
            and grade_gains.grade >= 0
            and gains.grade is null
        )
    )

order by
    grade_gains.gain_scheme,
    grade_gains.grade
