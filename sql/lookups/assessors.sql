-- One row is an assessor in some sets of assessments.
select distinct assessments.assessor

from assessments

where list_contains($assessment_set_ids, assessments.assessment_set_id)

order by assessments.assessor
