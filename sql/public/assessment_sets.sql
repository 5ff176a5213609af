-- One row is a loaded set of assessments: the grades that assessors gave
-- documents of a dataset. Its name is unique in the dataset.
select
    assessment_sets.dataset,
    assessment_sets.name as assessment_set,
    assessment_sets.assessment_set_id, assessment_sets.source, assessment_sets.content_hash,
    assessment_sets.loaded_at, assessment_sets.query_count, assessment_sets.assessment_count,
    assessment_sets.assessor_kind, assessment_sets.model, assessment_sets.prompt,
    assessment_sets.judging_cost, assessment_sets.judging_seconds
from store.assessment_sets
