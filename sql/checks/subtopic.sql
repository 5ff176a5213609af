-- query {query_id}, document {doc_id}: no subtopic, but other {unit}s have one
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    $unit as unit

from staged

where staged.subtopic is null
