-- One row is a pair of runs of a dataset that have all tags in common, so that
-- nothing tells which replicate of which system they are.
with tagged as (

    select
        runs.run_id,
        runs.dataset,
        runs.name,
        list(
            run_tags.tag || '=' || run_tags.tag_value order by run_tags.tag
        ) as tags

    from runs

    inner join run_tags using (run_id)

    where list_contains($run_ids, runs.run_id)

    group by
        runs.run_id,
        runs.dataset,
        runs.name

)

select
    tagged.name,
    others.name as other_name

from tagged

inner join tagged as others using (dataset, tags)

where tagged.run_id < others.run_id

order by
    tagged.run_id,
    others.run_id
