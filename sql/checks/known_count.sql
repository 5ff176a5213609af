-- query {query_id}, document {doc_id}: count {count_text} is not a whole number from 1 to 1e9
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.count_text

from staged

where
    coalesce(staged.count_text, '') <> ''
    and staged.known_count is null
