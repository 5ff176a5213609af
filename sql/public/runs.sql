-- One row is a run: an immutable ranking of documents for queries, by one
-- system at one time. Its name is unique in the dataset.
select
    runs.dataset,
    runs.name as run,
    runs.run_id, runs.position_rule, runs.source, runs.content_hash,
    coalesce(runs.run_at, runs.loaded_at) as made_at,
    runs.run_at, runs.loaded_at, runs.query_count, runs.document_count
from store.runs
