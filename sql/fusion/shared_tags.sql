-- One row is a tag that all of the fused runs have, with the same value.
select
    run_tags.tag,
    min(run_tags.tag_value) as tag_value

from run_tags

where list_contains($run_ids, run_tags.run_id)

group by run_tags.tag

having
    count(*) = len($run_ids)
    and min(run_tags.tag_value) = max(run_tags.tag_value)
