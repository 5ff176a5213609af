-- One row is a run that fuse made, with a name among its sources (of source_rows)
-- that no run of its dataset has.
select
    source_rows.run, source_rows.name
from source_rows
anti join runs using (dataset, name)
where list_contains($run_ids, source_rows.run_id)
order by source_rows.run_id, source_rows.name
