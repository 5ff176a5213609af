-- One row is a set that a judgment set was built from: judgments that it
-- extends or assessments that it adjudicates. The row remains when that set is
-- removed.
select
    judgment_sets.dataset,
    judgment_sets.name as judgment_set,
    judgment_set_parents.judgment_set_id, judgment_set_parents.parent_kind,
    judgment_set_parents.parent_name, judgment_set_parents.parent_id,
    judgment_set_parents.content_hash as parent_content_hash
from store.judgment_set_parents
inner join store.judgment_sets using (judgment_set_id)
