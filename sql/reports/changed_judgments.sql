-- One row is a document that a judgment set judges differently from another.
select
    query_id,
    doc_id,
    change,
    other_grade as old_grade,
    grade as new_grade
from judgment_changes
where
    judgment_set_id = $judgment_set_id
    and other_judgment_set_id = $other_judgment_set_id
order by query_id, doc_id
