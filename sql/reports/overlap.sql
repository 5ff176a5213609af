-- One row is the mean rank-biased overlap of two runs over the queries that at
-- least one of them answered. A query that only one of them answered counts 0.
select
    $run as run,
    $other_run as other_run,
    $judgment_set as judgment_set,
    sum(overlap_queries.value order by overlap_queries.query_id)
    / count(*) as rank_biased_overlap,
    count(*) as n,
    count(case when overlap_queries.answered_by_both then 1 end)
        as answered_by_both,
    cast(sum(overlap_queries.relevant_in_both) as bigint) as relevant_in_both,
    cast(sum(overlap_queries.relevant_in_run_only) as bigint)
        as relevant_in_run_only,
    cast(sum(overlap_queries.relevant_in_other_only) as bigint)
        as relevant_in_other_only

from overlap_queries
