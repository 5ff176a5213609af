-- (n - position + 1) / n for the n documents that a run shows for a query.
select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    (fused_lengths.shown - fused_entries.position + 1)
    / fused_lengths.shown as term

from fused_entries

inner join fused_lengths using (place, query_id)
