-- The documents of the runs and judgment sets of a dataset, as often as they have them.
select doc_id
from rankings
inner join runs using (run_id)
where dataset = $dataset
union all
select doc_id
from judgments
inner join judgment_sets using (judgment_set_id)
where dataset = $dataset
