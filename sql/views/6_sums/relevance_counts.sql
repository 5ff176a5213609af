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
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    relevance_measures.measure,
    relevance_measures.family,
    relevance_measures.cutoff,
    listed_queries.retrieved,
    listed_queries.listed,
    coalesce(relevant_documents.relevant, 0) as relevant,
    coalesce(found.found, 0) as found,
    found.first_position,
    coalesce(found.precision_sum, 0) as precision_sum

from listed_queries

inner join relevance_measures
    on listed_queries.judged_only = relevance_measures.judged_only

left join relevant_documents
    on
        listed_queries.judgment_set_id = relevant_documents.judgment_set_id
        and listed_queries.query_id = relevant_documents.query_id
        and relevance_measures.measure = relevant_documents.measure
        and relevance_measures.family = relevant_documents.family

left join found
    on
        listed_queries.run_id = found.run_id
        and listed_queries.judgment_set_id = found.judgment_set_id
        and listed_queries.query_id = found.query_id
        and relevance_measures.measure = found.measure
        and relevance_measures.family = found.family
