-- Cormack, Clarke and Büttcher 2009, SIGIR: 1 / (k + position).
select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    1 / (fused_entries.k + fused_entries.position) as term

from fused_entries
