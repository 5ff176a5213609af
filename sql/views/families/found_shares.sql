-- The measures that rest on the number of relevant documents among the first k, or
-- without k among all that the run returned. A ranking shorter than k is filled up
-- with documents that are not relevant.
-- P@k and SetP, precision: the share of relevant documents among these (van
-- Rijsbergen 1979, Information Retrieval). relative_P@k, and SetP with relative=true,
-- divide it by the highest share that is possible (trec_eval).
-- R@k and SetR, recall: the share of the relevant documents that are among these (van
-- Rijsbergen 1979).
-- Success@k, also called hit rate: 1 if any of them is relevant, else 0 (Craswell &
-- Hawking 2004, TREC web track).
-- SetAP: precision times recall, as if all documents shared one position (Buckley &
-- Voorhees, trec_eval's set_map).
-- F@k and SetF, F-measure: the harmonic mean of precision and recall, in which recall
-- weighs beta squared times as much as precision in F, and as in trec_eval beta times
-- in SetF (van Rijsbergen 1979).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        -- As no k is 0, scripts of P@k for other engines need no other case.
        when relevance_counts.family = 'P' and relevance_counts.cutoff > 0
            then relevance_counts.found / relevance_counts.cutoff
        when relevance_counts.found = 0 then 0
        when relevance_counts.family = 'Success' then 1
        when relevance_counts.family in ('R', 'SetR')
            then relevance_counts.found / relevance_counts.relevant
        when relevance_counts.family = 'SetAP'
            then
                relevance_counts.found * relevance_counts.found
                / (relevance_counts.listed * relevance_counts.relevant)
        -- With P = found / k and R = found / relevant, (1 + beta^2) P R / (beta^2 P
        -- + R) in F, and (beta + 1) P R / (R + beta P) in SetF.
        when relevance_counts.family = 'F'
            then
                (1 + measures.beta * measures.beta) * relevance_counts.found
                / (
                    coalesce(relevance_counts.cutoff, relevance_counts.listed)
                    + measures.beta * measures.beta * relevance_counts.relevant
                )
        when relevance_counts.family = 'SetF'
            then
                (measures.beta + 1) * relevance_counts.found
                / (
                    relevance_counts.listed
                    + measures.beta * relevance_counts.relevant
                )
        when relevance_counts.family = 'relative_P' or measures.relative
            then
                relevance_counts.found
                / least(
                    coalesce(relevance_counts.cutoff, relevance_counts.listed),
                    relevance_counts.relevant
                )
        else
            relevance_counts.found
            / coalesce(relevance_counts.cutoff, relevance_counts.listed)
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

inner join measures using (measure)

where
    relevance_counts.family in ('P', 'R', 'Success', 'F', 'relative_P')
    or relevance_counts.family in ('SetP', 'SetR', 'SetAP', 'SetF')
