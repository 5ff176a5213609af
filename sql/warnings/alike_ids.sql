-- Two ids that are nearly the same, at least one of them new, and how many other
-- such groups of ids there are.
with folded as materialized (
    select
        source_rows.id, source_rows.folded_id, source_rows.is_new
    from source_rows
),

alike as (
    select folded.folded_id
    from folded
    group by folded.folded_id
    having count(*) > 1 and bool_or(folded.is_new)
)

select
    min(folded.id) as own,
    max(folded.id) as judged,
    count(*) over () - 1 as more
from folded
semi join alike using (folded_id)
group by folded.folded_id
order by folded.folded_id
limit 1
