-- One row is a run that has a tag, with all of its other tags: the system of which
-- it is a replicate; one without others says so. A run that fuse made (source_rows has its sources) is made of systems: a
-- source that has the tag counts by its other tags, any other by its name. What was
-- tuned differs between replicates.
with replicates as (
    select
        run_tags.run_id,
        run_tags.tag_value as replicate
    from run_tags
    where run_tags.tag = $over
),

remaining_tags as (
    select
        run_tags.run_id, run_tags.tag, run_tags.tag_value
    from run_tags
    where run_tags.tag <> $over
),

of_sources as (
    select
        runs.dataset, runs.name,
        string_agg(
            remaining_tags.tag || '=' || remaining_tags.tag_value,
            ', '
            order by remaining_tags.tag
        ) as system
    from replicates
    inner join runs using (run_id)
    inner join remaining_tags using (run_id)
    group by runs.dataset, runs.name
    -- One that was fused itself counts by its name.
    having not bool_or(remaining_tags.tag = 'sources')
),

fusions as (
    select
        source_rows.run_id,
        string_agg(
            coalesce('(' || of_sources.system || ')', source_rows.name),
            ' + '
            order by source_rows.place
        ) as systems
    from source_rows
    left join of_sources using (dataset, name)
    group by source_rows.run_id
),

tuned as (
    select run_tags.run_id
    from run_tags
    semi join source_rows using (run_id)
    where run_tags.tag = 'tuned'
),

other_tags as (
    select
        remaining_tags.run_id, remaining_tags.tag,
        case
            when remaining_tags.tag = 'sources'
                then coalesce(fusions.systems, remaining_tags.tag_value)
            else remaining_tags.tag_value
        end as tag_value
    from remaining_tags
    left join fusions using (run_id)
    left join tuned using (run_id)
    where tuned.run_id is null or remaining_tags.tag not in ('k', 'weights')
)

select
    replicates.run_id, runs.dataset,
    coalesce(
        string_agg(other_tags.tag || '=' || other_tags.tag_value, ', ' order by other_tags.tag),
        '(no other tag)'
    ) as system,
    replicates.replicate
from replicates
inner join runs using (run_id)
left join other_tags using (run_id)
group by replicates.run_id, runs.dataset, replicates.replicate
order by replicates.run_id
