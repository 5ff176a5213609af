-- One row is a document that a run shows for a query, with its score from 0 for
-- the least of the query to 1 for the greatest; null if all are equal.
select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    case
        when fused_ranges.greatest > fused_ranges.least
            then
                (fused_entries.score - fused_ranges.least)
                / (fused_ranges.greatest - fused_ranges.least)
    end as scaled_score

from fused_entries

inner join fused_ranges using (place, query_id)
