-- One row is a tag that divides the given runs of a dataset into series that take
-- turns over time, such as the engine of runs that each engine makes every week, and
-- the value of the last run. A tag whose values follow one another, such as the week,
-- or that some run lacks, divides nothing.
with timed as (
    select
        runs.dataset, run_tags.tag, run_tags.tag_value,
        count(*) over (partition by runs.dataset, run_tags.tag) as tagged,
        row_number() over series_in_time as place,
        coalesce(
            run_tags.tag_value <> lag(run_tags.tag_value) over series_in_time,
            false
        ) as is_turn
    from runs
    inner join run_tags using (run_id)
    where list_contains($run_ids, runs.run_id)
    window series_in_time as (
        partition by runs.dataset, run_tags.tag
        order by coalesce(runs.run_at, runs.loaded_at), runs.run_id
    )
),

chosen as (
    select
        runs.dataset,
        count(*) as run_count
    from runs
    where list_contains($run_ids, runs.run_id)
    group by runs.dataset
)

select
    timed.tag,
    max(case when timed.place = timed.tagged then timed.tag_value end) as latest
from timed
inner join chosen using (dataset)
group by timed.dataset, timed.tag, chosen.run_count
having
    count(*) = chosen.run_count
    and sum(case when timed.is_turn then 1 else 0 end)
    >= count(distinct timed.tag_value)
    and count(distinct timed.tag_value) > 1
order by count(distinct timed.tag_value), timed.tag
