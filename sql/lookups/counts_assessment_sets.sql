-- The counts of a set of assessments.
select
    assessment_sets.query_count,
    assessment_sets.assessment_count

from assessment_sets

where assessment_sets.assessment_set_id = $id
