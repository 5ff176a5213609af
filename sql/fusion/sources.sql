-- One row is a source of a run that fuse made (tags say how, and of which runs): its
-- name, and its place among the sources. In the tag, names are separated by ', '; one
-- that contains this, ends with a comma or begins with a quotation mark is between
-- quotation marks, doubled inside.
with listed as (
    select
        runs.run_id, dataset,
        runs.name as run,
        regexp_extract_all(
            sources.tag_value,
            '(?:^|, )("(?:[^"]|"")*"|(?:[^,]|,[^ ])*)',
            1
        ) as names
    from runs
    inner join run_tags as fusions
        on runs.run_id = fusions.run_id and fusions.tag = 'fusion'
    inner join run_tags as sources
        on runs.run_id = sources.run_id and sources.tag = 'sources'
),

written as (
    select
        run_id, dataset, run,
        unnest(names) as name,
        generate_subscripts(names, 1) as place
    from listed
)

select
    run_id, dataset, run, place,
    if(
        starts_with(name, '"') and ends_with(name, '"'),
        replace(name[2:-2], '""', '"'),
        name
    ) as name
from written
