-- One row is a source of a run that fuse made (tags say how, and of which runs): its
-- name, and its place among the sources. In the tag, names are separated by ', '; one
-- that contains this, ends with a comma or begins with a quotation mark is between
-- quotation marks, doubled inside.
with written as (
    select
        runs.run_id, dataset,
        runs.name as run,
        regexp_extract_all(
            sources.tag_value, '(?:^|, )("(?:[^"]|"")*"|(?:[^,]|,[^ ])*)', 1
        ) as names,
        unnest(names) as name,
        generate_subscripts(names, 1) as place
    from runs
    inner join run_tags as fusions using (run_id)
    inner join run_tags as sources using (run_id)
    where fusions.tag = 'fusion' and sources.tag = 'sources'
)

select
    run_id, dataset, run, place,
    if(
        starts_with(name, '"') and ends_with(name, '"'),
        replace(name[2:-2], '""', '"'),
        name
    ) as name
from written
