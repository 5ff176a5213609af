-- One row is a grade of a named gain scheme, with its gain and the labels that
-- judges used for the grade.
select
    gains.gain_scheme as scheme,
    gains.grade, gains.gain,
    string_agg(distinct judgments.label, ', ' order by judgments.label) as labels
from gains
left join judgments using (grade)
where not starts_with(gains.gain_scheme, '{')
group by all
order by gains.gain_scheme asc, gains.grade desc
