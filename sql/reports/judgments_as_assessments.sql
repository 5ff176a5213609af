-- The judgments of some judgment sets, each as what an assessor of its name said.
-- A negative grade is none.
select
    judgments.judgment_set_id as assessment_set_id,
    judgments.query_id,
    judgments.doc_id,
    judgment_sets.name as assessor,
    judgment_sets.loaded_at as assessed_at,
    judgments.grade,
    judgments.label

from judgments

inner join judgment_sets using (judgment_set_id)

where
    list_contains($judgment_set_ids, judgments.judgment_set_id)
    and judgments.grade >= 0
