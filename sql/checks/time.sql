-- query {query_id}, document {doc_id}: {time_text} is not a time like 2026-01-31T23:59
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.time_text

from staged

where
    coalesce(staged.time_text, '') <> ''
    and staged.assessed_at is null
