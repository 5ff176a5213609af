-- One row is a tag of a run with its value, such as model = bm25.
select
    runs.dataset,
    runs.name as run,
    run_tags.run_id, run_tags.tag, run_tags.tag_value
from store.run_tags
inner join store.runs using (run_id)
