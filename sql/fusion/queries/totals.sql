-- One row is a query of a run: the sum of its scaled scores. They are added up
-- as whole numbers, of 2^-62 each: such a sum is exact, and the same in whatever
-- order threads add it.
select
    fused_scaled.place,
    fused_scaled.query_id,
    sum(cast(coalesce(fused_scaled.scaled_score, 1) * power(2, 62) as bigint))
    / power(2, 62) as total

from fused_scaled

group by
    fused_scaled.place,
    fused_scaled.query_id
