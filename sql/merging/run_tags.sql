-- The tags that a run has in another warehouse, but not here.
insert into run_tags (run_id, tag, tag_value)
select
    $own_id as run_id,
    other_run_tags.tag, other_run_tags.tag_value
from other_run_tags
where
    other_run_tags.run_id = $other_id
    and other_run_tags.tag not in (
        select run_tags.tag
        from run_tags
        where run_tags.run_id = $own_id
    )
