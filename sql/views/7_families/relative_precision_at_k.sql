-- relative_P@k: P@k as a share of the best that is possible when fewer than k
-- documents are relevant (trec_eval).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.found > 0
            then
                relevance_counts.found
                / least(
                    coalesce(relevance_counts.cutoff, relevance_counts.listed),
                    relevance_counts.relevant
                )
        else 0
    end as value,
    relevance_counts.relevant = 0 as no_relevant

from relevance_counts

where relevance_counts.family = 'relative_P'
