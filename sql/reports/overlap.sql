-- One row is the mean rank-biased overlap of two runs over the queries that at
-- least one of them answered. A query that only one of them answered counts 0.
select
    $run as run,
    $other_run as other_run,
    sum(overlap_queries.value order by overlap_queries.query_id)
    / count(*) as rank_biased_overlap,
    count(*) as n,
    sum(case when overlap_queries.answered_by_both then 1 else 0 end)
        as answered_by_both

from overlap_queries
