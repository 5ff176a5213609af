-- How many rows were read without a look at single lines, and whether no
-- document stands twice: hashes tell none that does from two documents, but
-- never the other way round.
select
    count(*) as rows_read,
    count(distinct hash(staged.query_id, staged.doc_id)) = count(*) as is_once

from staged
