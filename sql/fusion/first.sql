-- The first documents of each query, of those that are staged.
create or replace temp table staged as
select
    staged.query_id,
    staged.doc_id,
    staged.score

from staged

qualify
    row_number()
        over (
            partition by staged.query_id
            order by
                staged.score desc,
                staged.doc_id desc
        )
    <= $depth
