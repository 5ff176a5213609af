-- R@k, recall: the share of the relevant documents that are among the first k;
-- SetR: that of those returned at any position (van Rijsbergen 1979).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.relevant > 0
            then relevance_counts.found / relevance_counts.relevant
        else 0
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

where relevance_counts.family in ('R', 'SetR')
