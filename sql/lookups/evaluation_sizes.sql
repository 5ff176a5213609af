-- One row is an evaluation, with how many rows its values are computed from: its
-- hits, or its judged queries if these are more.
with sizes as (

    select
        hits.run_id,
        hits.judgment_set_id,
        count(*) as hit_count

    from hits

    group by
        hits.run_id,
        hits.judgment_set_id

)

select
    evaluations.run_id,
    evaluations.judgment_set_id,
    greatest(
        evaluations.answered + evaluations.unanswered,
        coalesce(sizes.hit_count, 0)
    ) as size

from evaluations

left join sizes using (run_id, judgment_set_id)
