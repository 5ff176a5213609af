-- One row is a query of a run: the mean and the standard deviation (of the
-- population) of its scaled scores, whose sums are exact as in queries/totals.
with distances as (

    select
        fused_scaled.place,
        fused_scaled.query_id,
        fused_means.mean,
        coalesce(fused_scaled.scaled_score, 0) - fused_means.mean as distance

    from fused_scaled

    inner join fused_means using (place, query_id)

)

select
    distances.place,
    distances.query_id,
    distances.mean,
    sqrt(
        sum(
            cast(
                distances.distance * distances.distance
                * power(2, 62) as bigint
            )
        ) / power(2, 62) / count(*)
    ) as deviation

from distances

group by
    distances.place,
    distances.query_id,
    distances.mean
