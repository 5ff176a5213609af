-- The judgment set of a dataset that was loaded last. One without judgments is there
-- for loaded values alone.
select
    judgment_sets.judgment_set_id, judgment_sets.name
from judgment_sets
where judgment_sets.dataset = $dataset and judgment_sets.judgment_count > 0
order by judgment_sets.judgment_set_id desc
limit 1
