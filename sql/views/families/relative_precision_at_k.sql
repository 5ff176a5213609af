-- relative_P@k: P@k divided by the highest P@k that is possible, which is below
-- 1 if fewer than k documents are relevant (trec_eval).
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
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

where relevance_counts.family = 'relative_P'
