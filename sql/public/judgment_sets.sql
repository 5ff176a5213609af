-- One row is an immutable version of the judgments (qrels) of a dataset. Its
-- name is unique in the dataset.
select
    judgment_sets.dataset,
    judgment_sets.name as judgment_set,
    judgment_sets.judgment_set_id, judgment_sets.source, judgment_sets.content_hash,
    judgment_sets.loaded_at, judgment_sets.query_count, judgment_sets.judgment_count,
    judgment_sets.policy
from store.judgment_sets
