-- One row is a hit on a list that some measure looks at: on the list as the
-- run returned it, or (judged_only) on the list that is left when documents
-- that nobody judged are taken out and positions close up.
with condensing as (

    select distinct measures.judged_only

    from measures

    where measures.judged_only

)

select
    hits.run_id,
    hits.judgment_set_id,
    hits.query_id,
    hits.doc_id,
    false as judged_only,
    hits.position,
    hits.grade

from hits

union all

select
    hits.run_id,
    hits.judgment_set_id,
    hits.query_id,
    hits.doc_id,
    condensing.judged_only,
    row_number() over (
        partition by
            hits.run_id,
            hits.judgment_set_id,
            hits.query_id
        order by hits.position
    ) as position,
    hits.grade

from hits

inner join condensing
    on hits.grade >= 0
