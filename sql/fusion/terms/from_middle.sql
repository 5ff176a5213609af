-- How far below the middle of the documents that a run shows for a query one
-- of them stands.
select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    fused_entries.position - fused_lengths.shown / 2 as term

from fused_entries

inner join fused_lengths using (place, query_id)
