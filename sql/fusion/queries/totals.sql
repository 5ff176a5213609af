-- One row is a query of a run: the sum of its scores, after the least is taken
-- off; if all are equal, how many they are. Scaled scores are added up, as whole
-- numbers of 2^-62 each: such a sum is exact, and the same in whatever order
-- threads add it. That of whole scores is then a whole number again.
with scaled_totals as (

    select
        fused_scaled.place,
        fused_scaled.query_id,
        sum(
            cast(
                coalesce(fused_scaled.scaled_score, 1)
                * power(2, 62) as bigint
            )
        ) / power(2, 62) as total

    from fused_scaled

    group by
        fused_scaled.place,
        fused_scaled.query_id

)

select
    scaled_totals.place,
    scaled_totals.query_id,
    fused_ranges.least,
    fused_ranges.greatest,
    case
        when fused_ranges.greatest > fused_ranges.least
            then
                scaled_totals.total
                * (fused_ranges.greatest - fused_ranges.least)
        else scaled_totals.total
    end as total

from scaled_totals

inner join fused_ranges using (place, query_id)
