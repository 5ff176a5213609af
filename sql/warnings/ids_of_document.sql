-- The judged and described documents of a dataset, and whether they came with a new
-- judgment set or the staged rows (new_ids).
select
    new_ids.id,
    true as is_new
from new_ids
union all
select
    judgments.doc_id as id,
    false as is_new
from judgments
inner join judgment_sets using (judgment_set_id)
where
    judgment_sets.dataset = $dataset
    and judgment_sets.judgment_set_id is distinct from $judgment_set_id
union all
select
    documents.doc_id as id,
    false as is_new
from documents
where documents.dataset = $dataset
