-- AP@k: the mean, over all relevant documents, of the precision at the
-- position of each; one that is not among the first k counts 0
-- (Buckley & Voorhees 2000, SIGIR).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.relevant > 0
            then relevance_counts.precision_sum / relevance_counts.relevant
        else 0
    end as value,
    relevance_counts.relevant = 0 as no_relevant

from relevance_counts

where relevance_counts.family = 'AP'
