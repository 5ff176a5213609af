-- The sets of assessments, once for all groups, in a dataset without a name, and
-- once for the group of each of their assessors, in a dataset of its name.
select
    assessment_sets.assessment_set_id,
    '' as dataset,
    assessment_sets.name,
    assessment_sets.loaded_at

from assessment_sets

union all

select distinct
    assessment_sets.assessment_set_id,
    assessor_groups.assessor_group as dataset,
    assessment_sets.name,
    assessment_sets.loaded_at

from assessment_sets

inner join assessments using (assessment_set_id)

inner join assessor_groups using (assessor)
