-- One row is a tag that all of the fused runs have, with the same value.
select
    tag,
    min(tag_value) as tag_value
from run_tags
where list_contains($run_ids, run_id)
group by tag
having
    count(*) = len($run_ids)
    and count(distinct tag_value) = 1
