-- The tags that a run has in another warehouse, but not here.
insert into run_tags (run_id, tag, tag_value)
with here as (

    select run_tags.tag

    from run_tags

    where run_tags.run_id = $own_id

),

there as (

    select
        $own_id as run_id,
        other_run_tags.tag,
        other_run_tags.tag_value

    from other_run_tags

    where other_run_tags.run_id = $other_id

)

select
    there.run_id,
    there.tag,
    there.tag_value

from there

anti join here using (tag)
