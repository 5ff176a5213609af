-- One row is a document that a judgment set judges differently from another
-- judgment set of the dataset: added (only this set judges it), removed (only
-- the other set does) or regraded. A negative grade counts as unjudged. Filter
-- by judgment_set and other_judgment_set: every pair of sets is listed, in both
-- directions.
select
    judgment_sets.dataset,
    judgment_sets.name as judgment_set,
    others.name as other_judgment_set,
    query_id,
    doc_id,
    change,
    other_grade,
    grade,
    judgment_set_id,
    other_judgment_set_id
from store.judgment_changes
inner join store.judgment_sets using (judgment_set_id)
inner join store.judgment_sets as others on other_judgment_set_id = others.judgment_set_id
