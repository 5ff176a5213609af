-- One row is a label that judges used, with a grade that it was used for.
select distinct
    judgments.label, judgments.grade
from judgments
where judgments.label is not null
order by judgments.label, judgments.grade
