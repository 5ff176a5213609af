-- binG: the mean, over all relevant documents, of 1 / log2(2 + the number of
-- documents above that are not relevant); a document that was not returned
-- counts 0 (trec_eval).
with gained as (

    select
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure,
        sum(
            1 / log2(2 + relevant_hits.position - relevant_hits.found)
            order by relevant_hits.position
        ) as gain_sum

    from relevant_hits

    where relevant_hits.family = 'binG'

    group by
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure

)

select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.relevant > 0
            then coalesce(gained.gain_sum, 0) / relevance_counts.relevant
        else 0
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

left join gained using (run_id, judgment_set_id, query_id, measure)

where relevance_counts.family = 'binG'
