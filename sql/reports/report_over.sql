-- One row is the mean of a measure over replicates: runs that differ in one tag
-- only, such as the seed. The deviation is that of a sample; it says how much a
-- value varies from replicate to replicate, not from query to query.
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

),

tagged as (

    select
        replicates.run_id,
        coalesce(
            string_agg(
                other_tags.tag || '=' || other_tags.tag_value,
                ', '
                order by other_tags.tag
            ),
            ''
        ) as system

    from replicates

    left join other_tags using (run_id)

    group by replicates.run_id

)

select
    tagged.system,
    answer_rows.judgment_set,
    answer_rows.dataset,
    answer_rows.measure,
    avg(answer_rows.value order by runs.run_id) as value,
    stddev_samp(answer_rows.value order by runs.run_id) as deviation,
    min(answer_rows.value) as least,
    max(answer_rows.value) as greatest,
    count(answer_rows.value) as replicates,
    min(answer_rows.n) as n

from answer_rows

inner join runs
    on
        answer_rows.dataset = runs.dataset
        and answer_rows.run = runs.name

inner join tagged using (run_id)

group by
    tagged.system,
    answer_rows.judgment_set,
    answer_rows.dataset,
    answer_rows.measure

order by
    answer_rows.dataset,
    min(runs.run_id),
    list_position($measures, answer_rows.measure)
