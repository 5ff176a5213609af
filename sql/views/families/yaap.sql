-- yaap, yet another average precision: ln((1 + s) / (1 + R - s)), where s is
-- the sum of the precisions at the relevant documents that were returned and R
-- is the number of all relevant documents. An unanswered query has s = 0
-- (Robertson 2006, CIKM; trec_eval's form).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    ln(
        (1 + coalesce(precision_sums.precision_sum, 0))
        / (
            1
            + relevance_counts.relevant
            - coalesce(precision_sums.precision_sum, 0)
        )
    ) as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

left join precision_sums
    using (run_id, judgment_set_id, query_id, rel, judged_only, known, found)

where relevance_counts.family = 'yaap'
