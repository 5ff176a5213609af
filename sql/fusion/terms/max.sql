-- The share of the greatest score of a query, which is above 0.
select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    fused_entries.score / fused_ranges.greatest as term

from fused_entries

inner join fused_ranges using (place, query_id)
