-- SetF: the weighted harmonic mean of the precision and recall of all returned
-- documents. As in trec_eval, beta is the weight itself and is not squared (van
-- Rijsbergen 1979, Information Retrieval).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        -- (beta + 1) P R / (R + beta P), with P = found / listed and R = found
        -- / relevant.
        when relevance_counts.found > 0
            then
                (measures.beta + 1) * relevance_counts.found
                / (
                    relevance_counts.listed
                    + measures.beta * relevance_counts.relevant
                )
        else 0
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

inner join measures using (measure)

where relevance_counts.family = 'SetF'
