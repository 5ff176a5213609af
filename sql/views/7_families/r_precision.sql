-- Rprec: the precision at position R, where R is the number of relevant
-- documents (Buckley & Voorhees 2005, TREC: Experiment and Evaluation).
with found as (

    select
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure,
        count(*) as found

    from relevant_hits

    inner join relevant_documents
        on
            relevant_hits.judgment_set_id = relevant_documents.judgment_set_id
            and relevant_hits.query_id = relevant_documents.query_id
            and relevant_hits.measure = relevant_documents.measure
            and relevant_hits.family = relevant_documents.family
            and relevant_hits.position <= relevant_documents.relevant

    where relevant_hits.family = 'Rprec'

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
            then coalesce(found.found, 0) / relevance_counts.relevant
        else 0
    end as value,
    relevance_counts.relevant = 0 as no_relevant

from relevance_counts

left join found
    on
        relevance_counts.run_id = found.run_id
        and relevance_counts.judgment_set_id = found.judgment_set_id
        and relevance_counts.query_id = found.query_id
        and relevance_counts.measure = found.measure

where relevance_counts.family = 'Rprec'
