-- AP@k: the mean, over all relevant documents, of the precision at the position
-- of each; a document that is not among the first k counts 0 (Buckley &
-- Voorhees 2000, SIGIR). norm='min' divides by k if more than k documents are
-- relevant; norm='hits' divides by the number of relevant documents found, as
-- recommender tools do. gm_map is AP for a query; the value of a run is the
-- geometric mean over queries. yaap, yet another average precision: ln((1 + s) /
-- (1 + R - s)), where s is the sum of these precisions, 0 for an unanswered query,
-- and R is the number of all relevant documents (Robertson 2006, CIKM; trec_eval's
-- form).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.family = 'yaap'
            then
                ln(
                    (1 + coalesce(precision_sums.precision_sum, 0))
                    / (
                        1
                        + relevance_counts.relevant
                        - coalesce(precision_sums.precision_sum, 0)
                    )
                )
        when relevance_counts.found = 0 then 0
        when measures.norm = 'hits'
            then precision_sums.precision_sum / relevance_counts.found
        when
            measures.norm = 'min'
            and relevance_counts.cutoff < relevance_counts.relevant
            then precision_sums.precision_sum / relevance_counts.cutoff
        else precision_sums.precision_sum / relevance_counts.relevant
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

left join precision_sums
    using (run_id, judgment_set_id, query_id, rel, judged_only, known, found)

inner join measures using (measure)

where relevance_counts.family in ('AP', 'gm_map', 'yaap')
