-- The share of the sum of the scores of a query, after the least is taken off;
-- if all are equal, each has the same share. It is divided once, so that few
-- documents with equal sums of shares get sums that are rounded otherwise.
select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    case
        when fused_totals.greatest > fused_totals.least
            then fused_entries.score - fused_totals.least
        else 1
    end / fused_totals.total as term

from fused_entries

inner join fused_totals using (place, query_id)
