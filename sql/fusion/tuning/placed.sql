-- The hits of a fusion, at the positions that the scores of all documents give
-- them: the rule of store/hits_of_scored. Without a depth, none is cut off.
with placed as (
    select
        hit_number,
        count_if(
            source_rows.score > scored_hits.score or source_rows.doc_id >= scored_hits.doc_id
        ) as position,
        count_if(source_rows.score > scored_hits.score) + 1 as tie_first,
        count(*) as tie_last
    from scored_hits
    inner join source_rows
        on
            scored_hits.query_number = source_rows.query_number
            and scored_hits.score <= source_rows.score
    group by hit_number
)

select
    $run_id as run_id,
    $judgment_set_id as judgment_set_id,
    query_id, doc_id, position, grade, tie_first,
    least(tie_last, coalesce($depth, tie_last)) as tie_last
from scored_hits
inner join placed using (hit_number)
where position <= coalesce($depth, position)
