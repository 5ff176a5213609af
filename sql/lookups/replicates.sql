-- One row is a run that has a tag, with all of its other tags: the system of which
-- it is a replicate.
with replicates as (

    select run_tags.run_id

    from run_tags

    where run_tags.tag = $over

),

other_tags as (

    select
        run_tags.run_id,
        run_tags.tag,
        run_tags.tag_value

    from run_tags

    where run_tags.tag <> $over

)

select
    replicates.run_id,
    runs.dataset,
    coalesce(
        string_agg(
            other_tags.tag || '=' || other_tags.tag_value,
            ', '
            order by other_tags.tag
        ),
        ''
    ) as system

from replicates

inner join runs using (run_id)

left join other_tags using (run_id)

group by
    replicates.run_id,
    runs.dataset

order by replicates.run_id
