-- P@k, precision: the share of relevant documents among the first k. A ranking
-- shorter than k is filled up with documents that are not relevant; without k,
-- it is the share among all documents that the run returned (van Rijsbergen
-- 1979).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when coalesce(relevance_counts.cutoff, relevance_counts.listed) > 0
            then
                relevance_counts.found
                / coalesce(relevance_counts.cutoff, relevance_counts.listed)
        else 0
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

where relevance_counts.family = 'P'
