-- Rprec: the precision at position R, where R is the number of relevant
-- documents (Buckley & Voorhees 2005, TREC: Experiment and Evaluation).
-- Rprec_mult@x: the precision at position x times R, rounded up, unless its
-- fraction is below a tenth (trec_eval).
with depths as (

    select
        relevance_counts.run_id,
        relevance_counts.judgment_set_id,
        relevance_counts.query_id,
        relevance_counts.measure,
        relevance_counts.rel,
        relevance_counts.judged_only,
        relevance_counts.known,
        relevance_counts.retrieved,
        relevance_counts.relevant,
        floor(coalesce(measures.level, 1) * relevance_counts.relevant + 0.9)
            as depth

    from relevance_counts

    inner join measures using (measure)

    where relevance_counts.family in ('Rprec', 'Rprec_mult')

)

select
    depths.run_id,
    depths.judgment_set_id,
    depths.query_id,
    depths.measure,
    depths.retrieved,
    case
        when depths.depth > 0
            then coalesce(relevant_places.found, 0) / depths.depth
        else 0
    end as value,
    depths.relevant = 0 as nothing_relevant

from depths

left join relevant_places
    on
        depths.run_id = relevant_places.run_id
        and depths.judgment_set_id = relevant_places.judgment_set_id
        and depths.query_id = relevant_places.query_id
        and depths.rel = relevant_places.rel
        and depths.judged_only = relevant_places.judged_only
        and depths.known = relevant_places.known
        and depths.depth >= relevant_places.position
        -- No last_depth is above 1000000000, whatever the multiple.
        and least(depths.depth, 1000000000) <= relevant_places.last_depth
