-- The set of assessments that already has a name, and the hash of its content.
select
    assessment_sets.assessment_set_id,
    assessment_sets.content_hash

from assessment_sets

where
    assessment_sets.dataset = $dataset
    and assessment_sets.name = $name
