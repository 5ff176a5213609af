-- One row is a document that a judgment set judges differently from another
-- judgment set of the dataset: added (only this set judges it), removed (only
-- the other set does) or regraded. A negative grade counts as unjudged. Filter
-- by judgment_set and other_judgment_set: every pair of sets is listed, in both
-- directions.
select
    judgment_changes.dataset,
    judgment_changes.judgment_set,
    judgment_changes.other_judgment_set,
    judgment_changes.query_id,
    judgment_changes.doc_id,
    judgment_changes.change,
    judgment_changes.other_grade,
    judgment_changes.grade,
    judgment_changes.judgment_set_id,
    judgment_changes.other_judgment_set_id

from store.judgment_changes
