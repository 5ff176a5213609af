-- The judgment set of a dataset that was loaded last.
select
    judgment_sets.judgment_set_id, judgment_sets.name
from judgment_sets
where judgment_sets.dataset = $dataset
order by judgment_sets.judgment_set_id desc
limit 1
