-- One row is the share of judged documents among the first that a run returned,
-- to a depth that a measure looks at, added up over the judged queries. Measures
-- without a cutoff look at 10 documents. A run without judged documents has none.
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
    judged_hits.depth,
    sum(
        judged_hits.judged / judged_hits.shown
        order by judged_hits.shown
    ) as share_sum

from judged_hits

group by
    judged_hits.run_id,
    judged_hits.judgment_set_id,
    judged_hits.depth
