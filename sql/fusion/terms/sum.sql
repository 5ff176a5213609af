-- The share of the sum of the scores of a query, after the least is taken off;
-- if all are equal, each has the same share. That scores are first scaled
-- changes no share.
select
    fused_scaled.place,
    fused_scaled.weight,
    fused_scaled.query_id,
    fused_scaled.doc_id,
    coalesce(fused_scaled.scaled_score, 1) / fused_totals.total as term

from fused_scaled

inner join fused_totals using (place, query_id)
