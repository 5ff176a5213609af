-- One row is the grade that an assessor gave a document of a query, as it was
-- loaded. A negative grade means that the assessor did not judge the document.
select
    assessment_sets.dataset,
    assessment_sets.name as assessment_set,
    assessments.assessment_set_id, assessments.query_id, assessments.doc_id, assessments.assessor,
    assessments.assessed_at, assessments.grade, assessments.label
from store.assessments
inner join store.assessment_sets using (assessment_set_id)
