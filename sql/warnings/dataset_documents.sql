-- The documents of the runs and judgment sets of a dataset, as often as they have them.
select rankings.doc_id
from rankings
inner join runs using (run_id)
where runs.dataset = $dataset
union all
select judgments.doc_id
from judgments
inner join judgment_sets using (judgment_set_id)
where judgment_sets.dataset = $dataset
