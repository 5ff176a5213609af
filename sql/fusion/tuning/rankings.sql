-- The ranking of a fusion, at the positions of store/rankings_by_scores: what is left
-- of it without known documents depends on every document.
with placed as (

    select
        source_rows.query_number,
        source_rows.doc_id,
        source_rows.score,
        row_number() over (
            partition by source_rows.query_number
            order by
                source_rows.score desc,
                source_rows.doc_id desc
        ) as position

    from source_rows

)

select
    $run_id as run_id,
    tuned_queries.query_id,
    placed.doc_id,
    placed.position,
    placed.score

from placed

inner join tuned_queries using (query_number)

where placed.position <= coalesce($depth, placed.position)
