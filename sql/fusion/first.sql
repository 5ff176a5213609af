-- The first documents of each query, of those that are staged.
create or replace temp table staged as
with placed as (

    select
        staged.query_id,
        staged.doc_id,
        staged.score,
        row_number() over (
            partition by staged.query_id
            order by
                staged.score desc,
                staged.doc_id desc
        ) as position

    from staged

)

select
    placed.query_id,
    placed.doc_id,
    placed.score

from placed

where placed.position <= $depth
