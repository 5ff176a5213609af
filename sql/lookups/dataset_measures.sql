-- The registered measures that are meant for judgment sets.
select
    dataset_measures.judgment_set_id, dataset_measures.measure
from dataset_measures
where list_contains($judgment_set_ids, dataset_measures.judgment_set_id)
