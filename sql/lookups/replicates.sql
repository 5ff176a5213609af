-- One row is a run that has a tag, with all of its other tags: the system of which
-- it is a replicate; one without others says so. A run that fuse made (source_rows has its sources) is made of systems: a
-- source that has the tag counts by its other tags, any other by its name. What was
-- tuned differs between replicates.
with replicates as (
    select
        run_id,
        tag_value as replicate
    from run_tags
    where tag = $over
),

remaining_tags as (
    select run_id, tag, tag_value
    from run_tags
    where tag <> $over
),

of_sources as (
    select
        dataset, name,
        string_agg(tag || '=' || tag_value, ', ' order by tag) as system
    from replicates
    inner join runs using (run_id)
    inner join remaining_tags using (run_id)
    group by dataset, name
    -- One that was fused itself counts by its name.
    having not bool_or(tag = 'sources')
),

fusions as (
    select
        run_id,
        string_agg(coalesce('(' || system || ')', name), ' + ' order by place) as systems
    from source_rows
    left join of_sources using (dataset, name)
    group by run_id
),

tuned as (
    select run_id
    from run_tags
    semi join source_rows using (run_id)
    where tag = 'tuned'
),

other_tags as (
    select
        run_id, tag,
        if(tag = 'sources', coalesce(systems, tag_value), tag_value) as tag_value
    from remaining_tags
    left join fusions using (run_id)
    where tag not in ('k', 'weights') or run_id not in (from tuned)
)

select
    run_id, dataset,
    coalesce(string_agg(tag || '=' || tag_value, ', ' order by tag), '(no other tag)') as system,
    replicate
from replicates
inner join runs using (run_id)
left join other_tags using (run_id)
group by run_id, dataset, replicate
order by run_id
