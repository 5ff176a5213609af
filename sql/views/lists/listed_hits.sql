-- One row is a hit in a ranking that some measure looks at: the ranking that
-- the run returned, or the one that is left when unjudged documents
-- (judged_only), documents that the query knows (known is omit), or both are
-- taken out and positions close up.
with condensing as (

    select distinct
        measures.judged_only,
        measures.known

    from measures

    where measures.judged_only

)

select
    placed_hits.run_id,
    placed_hits.run,
    placed_hits.judgment_set_id,
    placed_hits.query_id,
    placed_hits.doc_id,
    false as judged_only,
    placed_hits.known,
    placed_hits.position,
    placed_hits.grade

from placed_hits

union all

select
    placed_hits.run_id,
    placed_hits.run,
    placed_hits.judgment_set_id,
    placed_hits.query_id,
    placed_hits.doc_id,
    condensing.judged_only,
    placed_hits.known,
    row_number() over (
        partition by
            placed_hits.run_id,
            placed_hits.run,
            placed_hits.judgment_set_id,
            placed_hits.query_id,
            placed_hits.known
        order by placed_hits.position
    ) as position,
    placed_hits.grade

from placed_hits

inner join condensing using (known)

where placed_hits.grade >= 0
