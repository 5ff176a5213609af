-- One row is a group of the judged queries of an evaluation (see query_groups) and a
-- depth that a measure looks at (10 if it has no cutoff), with the number of these
-- queries that the run answered, of those that it did not, and with the share of
-- judged documents among the first to this depth, the mean over these queries.
with depths as (
    select distinct judged_depth(measures.cutoff) as depth
    from measures
),

counts as (
    select
        evaluated_queries.run_id,
        runs.name as run,
        evaluated_queries.judgment_set_id, query_groups.attribute, query_groups.slice,
        count(*) as queries,
        count(case when evaluated_queries.retrieved > 0 then 1 end) as answered
    from evaluated_queries
    inner join runs using (run_id)
    inner join query_groups using (judgment_set_id, query_id)
    group by all
),

-- Judged hits are counted together for all queries that show the same number of
-- documents: a sum of whole numbers is the same in any order.
judged_hits as (
    select
        hits.run_id,
        runs.name as run,
        hits.judgment_set_id, query_groups.attribute, query_groups.slice, depths.depth,
        least(depths.depth, run_queries.retrieved) as shown,
        count(*) as judged
    from hits
    inner join depths
        on hits.position <= depths.depth
    inner join runs using (run_id)
    inner join run_queries using (run_id, query_id)
    inner join query_groups using (judgment_set_id, query_id)
    where hits.grade >= 0
    group by all
),

shares as (
    select
        judged_hits.run_id, judged_hits.run, judged_hits.judgment_set_id, judged_hits.attribute,
        judged_hits.slice, judged_hits.depth,
        sum(judged_hits.judged / judged_hits.shown order by judged_hits.shown) as share_sum
    from judged_hits
    group by all
)

select
    counts.run_id, counts.run, counts.judgment_set_id, counts.attribute, counts.slice, depths.depth,
    counts.answered,
    counts.queries - counts.answered as unanswered,
    coalesce(shares.share_sum, 0) / counts.queries as judged_at_k
from counts
cross join depths
left join shares
    on
        counts.run_id = shares.run_id
        and counts.run = shares.run
        and counts.judgment_set_id = shares.judgment_set_id
        and counts.attribute is not distinct from shares.attribute
        and counts.slice is not distinct from shares.slice
        and depths.depth = shares.depth
