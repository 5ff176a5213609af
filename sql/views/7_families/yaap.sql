-- yaap, yet another average precision: ln((1 + s) / (1 + R - s)), where s is
-- the sum of the precisions at the relevant documents that were returned and
-- R the number of all. A query that the run did not answer has s = 0
-- (Robertson 2006, CIKM; trec_eval's form).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    ln(
        (1 + relevance_counts.precision_sum)
        / (1 + relevance_counts.relevant - relevance_counts.precision_sum)
    ) as value,
    relevance_counts.relevant = 0 as no_relevant

from relevance_counts

where relevance_counts.family = 'yaap'
