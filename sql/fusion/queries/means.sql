-- One row is a query of a run: the mean of its scaled scores, whose sum is exact
-- as in queries/totals.
select
    fused_scaled.place,
    fused_scaled.query_id,
    sum(cast(coalesce(fused_scaled.scaled_score, 0) * power(2, 62) as bigint))
    / power(2, 62) / count(*) as mean

from fused_scaled

group by
    fused_scaled.place,
    fused_scaled.query_id
