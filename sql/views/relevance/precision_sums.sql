-- One row is a relevant document in a run's ranking (see relevant_places) that
-- is the last within the cutoff of AP, gm_map or yaap. precision_sum is the sum
-- of the precisions down to it, added in the order of positions. Cutoffs that
-- find the same documents share a row.
with ends as (

    select distinct
        relevant_places.run_id,
        relevant_places.judgment_set_id,
        relevant_places.query_id,
        relevant_places.rel,
        relevant_places.judged_only,
        relevant_places.known,
        relevant_places.found

    from relevant_places

    inner join relevance_measures using (rel, judged_only, known)

    where
        relevant_places.position <= relevance_measures.depth
        and relevant_places.last_depth >= relevance_measures.depth
        and relevance_measures.family in ('AP', 'gm_map', 'yaap')

)

select
    ends.run_id,
    ends.judgment_set_id,
    ends.query_id,
    ends.rel,
    ends.judged_only,
    ends.known,
    ends.found,
    sum(
        relevant_places.found / relevant_places.position
        order by relevant_places.position
    ) as precision_sum

from ends

inner join relevant_places
    using (run_id, judgment_set_id, query_id, rel, judged_only, known)

where ends.found >= relevant_places.found

group by
    ends.run_id,
    ends.judgment_set_id,
    ends.query_id,
    ends.rel,
    ends.judged_only,
    ends.known,
    ends.found
