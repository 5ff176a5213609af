-- One row is an assessor in some sets of assessments.
select distinct assessor
from assessments
where list_contains($assessment_set_ids, assessment_set_id)
order by assessor
