-- (n - position + 1) / n for the n documents that a run shows for a query.
select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    (fused_ranges.shown - fused_entries.position + 1)
    / fused_ranges.shown as term

from fused_entries

inner join fused_ranges using (place, query_id)
