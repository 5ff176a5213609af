-- One row is a source of a run that fuse made: its name, and its place among the
-- sources. In the tag, names are separated by ', '; one that contains this, ends with
-- a comma or begins with a quotation mark is between quotation marks, doubled inside.
with listed as (

    select
        runs.run_id,
        runs.dataset,
        runs.name as run,
        regexp_extract_all(
            run_tags.tag_value,
            '(?:^|, )("(?:[^"]|"")*"|(?:[^,]|,[^ ])*)',
            1
        ) as names

    from source_rows

    inner join runs using (run_id)

    inner join run_tags using (run_id)

    where run_tags.tag = 'sources'

),

written as (

    select
        listed.run_id,
        listed.dataset,
        listed.run,
        unnest(listed.names) as name,
        generate_subscripts(listed.names, 1) as place

    from listed

)

select
    written.run_id,
    written.dataset,
    written.run,
    written.place,
    case
        when starts_with(written.name, '"') and ends_with(written.name, '"')
            then
                replace(
                    substr(written.name, 2, length(written.name) - 2), '""', '"'
                )
        else written.name
    end as name

from written
