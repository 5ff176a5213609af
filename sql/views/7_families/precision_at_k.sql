-- P@k, precision: the share of the first k documents that are relevant. A
-- list shorter than k is filled up with documents that are not; without k, it
-- is the share of all that the run returned (van Rijsbergen 1979).
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
    relevance_counts.relevant = 0 as no_relevant

from relevance_counts

where relevance_counts.family = 'P'
