-- F@k, F-measure: the harmonic mean of the precision and the recall of the first
-- k documents, in which recall weighs beta squared times as much as precision
-- (van Rijsbergen 1979, Information Retrieval). SetF has the weight itself.
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        -- (1 + beta^2) P R / (beta^2 P + R), with P = found / k and R = found /
        -- relevant.
        when relevance_counts.found > 0
            then
                (1 + measures.beta * measures.beta) * relevance_counts.found
                / (
                    coalesce(relevance_counts.cutoff, relevance_counts.listed)
                    + measures.beta * measures.beta * relevance_counts.relevant
                )
        else 0
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

inner join measures using (measure)

where relevance_counts.family = 'F'
