-- One row is a run that has a tag with this value.
select run_tags.run_id
from run_tags
where run_tags.tag = $tag and run_tags.tag_value = $tag_value
