-- One row is a judged query of an evaluation under a measure of relevant
-- documents: how many the run returned and how many there are, how many it
-- found within the cutoff, where the first stands, and the sum of the
-- precisions at each of them.
with found as (

    select
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure,
        relevant_hits.family,
        count(*) as found,
        min(relevant_hits.position) as first_position,
        sum(
            relevant_hits.found / relevant_hits.position
            order by relevant_hits.position
        ) as precision_sum

    from relevant_hits

    group by
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure,
        relevant_hits.family

)

select
    evaluated_queries.run_id,
    evaluated_queries.judgment_set_id,
    evaluated_queries.query_id,
    relevance_measures.measure,
    relevance_measures.family,
    relevance_measures.cutoff,
    evaluated_queries.retrieved,
    coalesce(relevant_documents.relevant, 0) as relevant,
    coalesce(found.found, 0) as found,
    found.first_position,
    coalesce(found.precision_sum, 0) as precision_sum

from evaluated_queries

cross join relevance_measures

left join relevant_documents
    on
        evaluated_queries.judgment_set_id = relevant_documents.judgment_set_id
        and evaluated_queries.query_id = relevant_documents.query_id
        and relevance_measures.measure = relevant_documents.measure
        and relevance_measures.family = relevant_documents.family

left join found
    on
        evaluated_queries.run_id = found.run_id
        and evaluated_queries.judgment_set_id = found.judgment_set_id
        and evaluated_queries.query_id = found.query_id
        and relevance_measures.measure = found.measure
        and relevance_measures.family = found.family
