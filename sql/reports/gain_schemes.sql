-- One row is a grade of a named gain scheme, with its gain and the labels that
-- judges used for the grade.
select
    gain_scheme as scheme,
    grade, gain,
    string_agg(distinct label, ', ' order by label) as labels
from gains
left join judgments using (grade)
where not starts_with(gain_scheme, '{')
group by all
order by scheme asc, grade desc
