-- The counts of a run.
select
    runs.query_count,
    runs.document_count

from runs

where runs.run_id = $id
