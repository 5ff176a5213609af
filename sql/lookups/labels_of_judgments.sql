-- One row is a label of a judgment set with its grade.
select
    judgments.label,
    max(judgments.grade) as grade
from judgments
where judgments.judgment_set_id = $id and judgments.label is not null
group by judgments.label
order by max(judgments.grade), judgments.label
