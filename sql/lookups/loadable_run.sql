-- One row is what it takes to load a run again from its file; with siblings, the
-- file holds other runs, too.
select
    runs.source, runs.position_rule,
    cast(runs.run_at as varchar) as run_at,
    (
        select count(*)
        from runs as others
        where
            others.dataset = runs.dataset
            and others.source = runs.source
            and others.run_id <> runs.run_id
            -- The same content under another name is the whole file, too.
            and others.content_hash <> runs.content_hash
    ) as siblings
from runs
where runs.run_id = $id
