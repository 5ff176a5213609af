-- The staged rows of a judgment file with each document once for a query, or
-- for each of its subtopics; dropped counts the rows that were left out in its
-- place.
create or replace temp table staged as
select
    staged.*,
    count(*) over (partition by staged.query_id, staged.subtopic, staged.doc_id)
    - 1 as dropped
from staged
qualify
    row_number()
        over (
            partition by staged.query_id, staged.subtopic, staged.doc_id
            order by
                case when $duplicates = 'max' then staged.grade end desc nulls last,
                case when $duplicates = 'last' then -1 else 1 end * staged.line_number,
                -- All documents of a list may be on one line.
                case when $duplicates = 'last' then -1 else 1 end * staged.rowid
        )
    = 1
