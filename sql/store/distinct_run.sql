-- The staged rows of a run file with each document once for a query, or for a
-- query of each run; dropped counts the rows that were left out in its place. With
-- $unit_before, a document is the id up to the last such text, if anything is before
-- it.
create or replace temp table staged as
with units as (
    select
        * replace (
            coalesce(
                nullif(regexp_extract(doc_id, '(?s)^(.+)' || regexp_escape($unit_before), 1), ''),
                doc_id
            ) as doc_id
        ),
        -- All documents of a list may be on one line.
        row_number() over (order by line_number, rowid) as place
    from staged
)

select
    * exclude (place),
    count(*) over (partition by if($by_run, run, null), query_id, doc_id) - 1 as dropped
from units
window
    of_document as (
        partition by if($by_run, run, null), query_id, doc_id
        order by
            if($duplicates = 'max', score, null) desc nulls last,
            -- Of equal scores, the best rank is that of the document.
            if($duplicates in ('max', 'place'), rank, null) asc nulls last,
            if($duplicates = 'last', -1, 1) * place
    )
qualify row_number() over of_document = 1
