-- The staged rows of a judgment file with each document once for a query, or
-- for each of its subtopics; dropped counts the rows that were left out in its
-- place.
create or replace temp table staged as
select
    *,
    count(*) over (partition by query_id, subtopic, doc_id) - 1 as dropped
from staged
window
    of_document as (
        partition by query_id, subtopic, doc_id
        order by
            if($duplicates = 'max', grade, null) desc nulls last,
            if($duplicates = 'last', -1, 1) * line_number,
            -- All documents of a list may be on one line.
            if($duplicates = 'last', -1, 1) * rowid
    )
qualify row_number() over of_document = 1
