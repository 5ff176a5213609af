-- Two ids that are nearly the same, at least one of them new, and how many such groups of
-- ids there are.
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
    min(folded.id) as one_id,
    max(folded.id) as other_id,
    count(*) over () as group_count
from folded
semi join alike using (folded_id)
group by folded.folded_id
order by folded.folded_id
limit 1
