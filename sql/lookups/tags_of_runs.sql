-- One row is a tag that some of the given runs have, with one of its values.
select distinct
    run_tags.tag, run_tags.tag_value
from run_tags
where list_contains($run_ids, run_tags.run_id)
order by run_tags.tag, run_tags.tag_value
