-- The distance from the mean of the scores of a query in standard deviations
-- (of the population); 0 if all are equal. That scores are first scaled changes
-- nothing, but keeps their squares from becoming 0 or infinite.
select
    fused_scaled.place,
    fused_scaled.weight,
    fused_scaled.query_id,
    fused_scaled.doc_id,
    case
        when fused_deviations.deviation > 0
            then
                (coalesce(fused_scaled.scaled_score, 0) - fused_deviations.mean)
                / fused_deviations.deviation
        else 0
    end as term

from fused_scaled

inner join fused_deviations using (place, query_id)
