-- query {query_id}, document {doc_id}: {count_text} is not a whole number of {noun} from 0 to 1e9
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.count_text,
    rtrim(staged.event_action, 's') || 's' as noun

from staged

where staged.event_count is null
