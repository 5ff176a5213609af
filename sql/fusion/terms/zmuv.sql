-- The distance from the mean of the scores of a query in standard deviations
-- (of the population); 0 if all are equal. Scores are first scaled from 0 to 1,
-- which changes nothing but keeps their squares from becoming 0 or infinite.
with scaled as (

    select
        fused_entries.place,
        fused_entries.weight,
        fused_entries.query_id,
        fused_entries.doc_id,
        fused_entries.position,
        case
            when fused_ranges.greatest > fused_ranges.least
                then
                    (fused_entries.score - fused_ranges.least)
                    / (fused_ranges.greatest - fused_ranges.least)
            else 0
        end as scaled_score

    from fused_entries

    inner join fused_ranges using (place, query_id)

),

means as (

    select
        scaled.place,
        scaled.query_id,
        avg(scaled.scaled_score order by scaled.position) as mean

    from scaled

    group by
        scaled.place,
        scaled.query_id

),

deviations as (

    select
        scaled.place,
        scaled.query_id,
        means.mean,
        sqrt(
            avg(
                (scaled.scaled_score - means.mean)
                * (scaled.scaled_score - means.mean)
                order by scaled.position
            )
        ) as deviation

    from scaled

    inner join means using (place, query_id)

    group by
        scaled.place,
        scaled.query_id,
        means.mean

)

select
    scaled.place,
    scaled.weight,
    scaled.query_id,
    scaled.doc_id,
    case
        when deviations.deviation > 0
            then (scaled.scaled_score - deviations.mean) / deviations.deviation
        else 0
    end as term

from scaled

inner join deviations using (place, query_id)
