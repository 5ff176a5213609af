-- One row is the share of judged documents among the first k that a run returned,
-- where k is the cutoff of a registered measure, or 10 if it has none: the mean over
-- the judged queries. A run without judged documents has none.
with depths as (

    select distinct coalesce(measures.cutoff, 10) as depth

    from measures

),

-- Judged hits are counted together for all queries that show the same number of
-- documents: a sum of whole numbers is the same in any order.
judged_hits as (

    select
        hits.run_id,
        hits.judgment_set_id,
        depths.depth,
        least(depths.depth, run_queries.retrieved) as shown,
        count(*) as judged

    from hits

    inner join depths
        on hits.position <= depths.depth

    inner join run_queries using (run_id, query_id)

    where hits.grade >= 0

    group by
        hits.run_id,
        hits.judgment_set_id,
        depths.depth,
        least(depths.depth, run_queries.retrieved)

)

select
    judged_hits.run_id,
    judged_hits.judgment_set_id,
    measures.measure,
    sum(judged_hits.judged / judged_hits.shown order by judged_hits.shown)
    / judgment_sets.query_count as judged_at_k

from judged_hits

inner join judgment_sets using (judgment_set_id)

inner join measures
    on judged_hits.depth = coalesce(measures.cutoff, 10)

group by
    judged_hits.run_id,
    judged_hits.judgment_set_id,
    judgment_sets.query_count,
    measures.measure
