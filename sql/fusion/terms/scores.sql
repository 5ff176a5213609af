-- The scores as they are.
select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    fused_entries.score as term

from fused_entries
