-- AP@k: the mean, over all relevant documents, of the precision at the position
-- of each; a document that is not among the first k counts 0 (Buckley &
-- Voorhees 2000, SIGIR). norm='min' divides by k if more than k documents are
-- relevant; norm='hits' divides by the number of relevant documents found, as
-- recommender tools do.
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
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

inner join measures
    on relevance_counts.measure = measures.measure

left join precision_sums
    on
        relevance_counts.run_id = precision_sums.run_id
        and relevance_counts.judgment_set_id = precision_sums.judgment_set_id
        and relevance_counts.query_id = precision_sums.query_id
        and relevance_counts.rel = precision_sums.rel
        and relevance_counts.judged_only = precision_sums.judged_only
        and relevance_counts.found = precision_sums.found

where relevance_counts.family = 'AP'
