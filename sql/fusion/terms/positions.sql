-- The positions as they are: what the terms of rrf are made of, whatever its k.
select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    fused_entries.position as term

from fused_entries
