-- Mourão, Martins and Magalhães 2013: 1 / position².
select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    1 / (
        cast(fused_entries.position as double) * fused_entries.position
    ) as term

from fused_entries
