-- query {query_id}, document {doc_id}: the tag or run has a vertical tab or form feed, which some tools treat as a blank
select
    staged.line_number,
    staged.query_id,
    staged.doc_id

from staged

where
    -- Without a column for it, it is a null of another type.
    contains(cast(staged.run as varchar), chr(11))
    or contains(cast(staged.run as varchar), chr(12))
