-- One row is a query of an evaluation under AP, gm_map or yaap for which the run
-- found relevant documents: precision_sum adds up the precisions at each of
-- them, in order of position. Cutoffs that find the same ones share a sum.
with ends as (

    select distinct
        last_relevant_hits.run_id,
        last_relevant_hits.judgment_set_id,
        last_relevant_hits.query_id,
        last_relevant_hits.rel,
        last_relevant_hits.judged_only,
        last_relevant_hits.found

    from last_relevant_hits

    where last_relevant_hits.family in ('AP', 'gm_map', 'yaap')

),

sums as (

    select
        ends.run_id,
        ends.judgment_set_id,
        ends.query_id,
        ends.rel,
        ends.judged_only,
        ends.found,
        sum(
            relevant_places.found / relevant_places.position
            order by relevant_places.position
        ) as precision_sum

    from ends

    inner join relevant_places
        on
            ends.run_id = relevant_places.run_id
            and ends.judgment_set_id = relevant_places.judgment_set_id
            and ends.query_id = relevant_places.query_id
            and ends.rel = relevant_places.rel
            and ends.judged_only = relevant_places.judged_only
            and ends.found >= relevant_places.found

    group by
        ends.run_id,
        ends.judgment_set_id,
        ends.query_id,
        ends.rel,
        ends.judged_only,
        ends.found

)

select
    last_relevant_hits.run_id,
    last_relevant_hits.judgment_set_id,
    last_relevant_hits.query_id,
    last_relevant_hits.measure,
    last_relevant_hits.family,
    sums.precision_sum

from last_relevant_hits

inner join sums
    on
        last_relevant_hits.run_id = sums.run_id
        and last_relevant_hits.judgment_set_id = sums.judgment_set_id
        and last_relevant_hits.query_id = sums.query_id
        and last_relevant_hits.rel = sums.rel
        and last_relevant_hits.judged_only = sums.judged_only
        and last_relevant_hits.found = sums.found

where last_relevant_hits.family in ('AP', 'gm_map', 'yaap')
