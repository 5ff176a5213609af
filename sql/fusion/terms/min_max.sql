-- From 0 for the least score of a query to 1 for the greatest; if all are
-- equal, each is 1.
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
        else 1
    end as term

from fused_entries

inner join fused_ranges using (place, query_id)
