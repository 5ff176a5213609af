-- One row is a judgment of some judgment sets, as a grade of an assessor of the name
-- of its set.
select
    dataset,
    query_id,
    doc_id,
    name as assessor,
    grade
from judgments
inner join judgment_sets using (judgment_set_id)
where list_contains($judgment_set_ids, judgment_set_id)
