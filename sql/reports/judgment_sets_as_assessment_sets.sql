-- Some judgment sets, as if they were sets of assessments.
select
    judgment_sets.judgment_set_id as assessment_set_id,
    judgment_sets.dataset,
    judgment_sets.name,
    judgment_sets.loaded_at

from judgment_sets

where list_contains($judgment_set_ids, judgment_sets.judgment_set_id)
