-- How many rows were read without a look at single lines, and whether nothing
-- about them asks for that look: hashes tell no document that stands twice
-- from two documents, but never the other way round.
select
    count(*) as rows_read,
    not coalesce(bool_or(staged.is_odd), false)
    and count(distinct hash(staged.query_id, staged.doc_id)) = count(*)
        as is_clean

from staged
