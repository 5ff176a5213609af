-- From 0 for the least score of a query to 1 for the greatest; if all are
-- equal, each is 1.
select
    fused_scaled.place,
    fused_scaled.weight,
    fused_scaled.query_id,
    fused_scaled.doc_id,
    coalesce(fused_scaled.scaled_score, 1) as term

from fused_scaled
