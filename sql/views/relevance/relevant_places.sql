-- One row is a relevant document in a run's ranking, for each threshold (rel)
-- that some measure has. found counts the relevant documents down to it, so
-- found / position is the precision there; best_precision is the highest
-- precision there or at any relevant document below. No other relevant document
-- follows down to last_depth.
with thresholds as (

    select distinct
        relevance_measures.rel,
        relevance_measures.judged_only,
        relevance_measures.known

    from relevance_measures

),

counted as (

    select
        listed_hits.run_id,
        listed_hits.run,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        thresholds.rel,
        thresholds.judged_only,
        thresholds.known,
        listed_hits.position,
        row_number() over (
            partition by
                listed_hits.run_id,
                listed_hits.run,
                listed_hits.judgment_set_id,
                listed_hits.query_id,
                thresholds.rel,
                thresholds.judged_only,
                thresholds.known
            order by listed_hits.position
        ) as found,
        coalesce(lead(listed_hits.position) over (
            partition by
                listed_hits.run_id,
                listed_hits.run,
                listed_hits.judgment_set_id,
                listed_hits.query_id,
                thresholds.rel,
                thresholds.judged_only,
                thresholds.known
            order by listed_hits.position
        ) - 1, 1000000000) as last_depth

    from listed_hits

    inner join thresholds using (judged_only, known)

    where
        listed_hits.grade >= thresholds.rel
        and listed_hits.grade >= 0

)

select
    counted.run_id,
    counted.run,
    counted.judgment_set_id,
    counted.query_id,
    counted.rel,
    counted.judged_only,
    counted.known,
    counted.position,
    counted.last_depth,
    counted.found,
    max(counted.found / counted.position) over (
        partition by
            counted.run_id,
            counted.run,
            counted.judgment_set_id,
            counted.query_id,
            counted.rel,
            counted.judged_only,
            counted.known
        order by counted.found desc
        rows between unbounded preceding and current row
    ) as best_precision

from counted
