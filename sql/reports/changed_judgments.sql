-- One row is a document that a judgment set judges differently from another.
select
    judgment_changes.query_id,
    judgment_changes.doc_id,
    judgment_changes.change,
    judgment_changes.other_grade as old_grade,
    judgment_changes.grade as new_grade

from judgment_changes

where
    judgment_changes.judgment_set_id = $judgment_set_id
    and judgment_changes.other_judgment_set_id = $other_judgment_set_id

order by
    judgment_changes.query_id,
    judgment_changes.doc_id
