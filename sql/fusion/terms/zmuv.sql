-- The distance from the mean of the scores of a query in standard deviations
-- (of the population); 0 if all are equal. Scores are first scaled from 0 to 1,
-- which changes nothing but keeps their squares from becoming 0 or infinite.
-- They are added up as whole numbers, of 2^-62 each: such a sum is exact, and
-- the same in whatever order threads add it.
with scaled as not materialized (

    select
        fused_entries.place,
        fused_entries.weight,
        fused_entries.query_id,
        fused_entries.doc_id,
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
        sum(cast(scaled.scaled_score * power(2, 62) as bigint))
        / power(2, 62) / count(*) as mean

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
            sum(
                cast(
                    (scaled.scaled_score - means.mean)
                    * (scaled.scaled_score - means.mean)
                    * power(2, 62) as bigint
                )
            ) / power(2, 62) / count(*)
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
