-- One row is a tag that divides the given runs of a dataset into series that take
-- turns over time, such as the engine of runs that each engine makes every week, and
-- the value of the last run. A tag whose values follow one another, such as the week,
-- or that some run lacks, divides nothing.
with chosen as (
    select
        run_id, dataset, coalesce(run_at, loaded_at) as made_at,
        count(*) over (partition by dataset) as run_count
    from runs
    where list_contains($run_ids, run_id)
),

timed as (
    select
        dataset, tag, tag_value, run_count, made_at, run_id,
        coalesce(tag_value <> lag(tag_value) over series_in_time, false) as is_turn
    from chosen
    inner join run_tags using (run_id)
    window series_in_time as (partition by dataset, tag order by made_at, run_id)
)

select
    tag,
    last(tag_value order by made_at, run_id) as latest
from timed
group by dataset, tag, run_count
having
    count(*) = run_count
    and count(*) filter (is_turn) >= count(distinct tag_value)
    and count(distinct tag_value) > 1
order by count(distinct tag_value), tag
