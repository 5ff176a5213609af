-- One row is the mean rank-biased overlap of two runs over the queries that at
-- least one of them answered. A query that only one of them answered counts 0.
select
    $run as run,
    $other_run as other_run,
    $judgment_set as judgment_set,
    sum(rank_biased_overlap order by query_id) / count(*) as rank_biased_overlap,
    count(*) as n,
    count(*) filter (answered_by_both) as answered_by_both,
    cast(sum(relevant_in_both) as bigint) as relevant_in_both,
    cast(sum(relevant_in_run_only) as bigint) as relevant_in_run_only,
    cast(sum(relevant_in_other_only) as bigint) as relevant_in_other_only
from overlap_queries
