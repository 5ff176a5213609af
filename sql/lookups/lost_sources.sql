-- One row is a run (of source_rows, those that fuse made) that has a tag, with the
-- names among its sources that no run of its dataset has.
with sources as (

    select
        runs.run_id,
        runs.dataset,
        runs.name as run,
        unnest(string_split(run_tags.tag_value, ', ')) as name

    from source_rows

    inner join runs using (run_id)

    inner join run_tags using (run_id)

    where
        run_tags.tag = 'sources'
        and list_contains($run_ids, runs.run_id)

)

select
    sources.run,
    sources.name

from sources

anti join runs using (dataset, name)

order by
    sources.run_id,
    sources.name
