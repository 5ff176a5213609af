-- The staged rows of a run file with each document once for a query, or for a
-- query of each run; dropped counts the rows that were left out in its place.
create or replace temp table staged as
select
    staged.*,
    count(*)
        over (partition by case when $by_run then staged.run end, staged.query_id, staged.doc_id)
    - 1 as dropped
from staged
qualify
    row_number()
        over (
            partition by case when $by_run then staged.run end, staged.query_id, staged.doc_id
            order by
                case when $duplicates = 'max' then staged.score end desc nulls last,
                -- Of equal scores, the best rank is that of the document.
                case when $duplicates = 'max' then staged.rank end asc nulls last,
                case when $duplicates = 'last' then -staged.line_number else staged.line_number end,
                -- The rows of a list may share a line.
                case when $duplicates = 'last' then -staged.rowid else staged.rowid end
        )
    = 1
