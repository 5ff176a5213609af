-- The share of the sum of the scores of a query, after the least is taken off;
-- if all are equal, each has the same share.
with totals as (

    select
        fused_entries.place,
        fused_entries.query_id,
        fused_ranges.least,
        fused_ranges.shown,
        sum(
            fused_entries.score - fused_ranges.least
            order by fused_entries.position
        ) as total

    from fused_entries

    inner join fused_ranges using (place, query_id)

    group by
        fused_entries.place,
        fused_entries.query_id,
        fused_ranges.least,
        fused_ranges.shown

)

select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    case
        when totals.total > 0
            then (fused_entries.score - totals.least) / totals.total
        else 1 / totals.shown
    end as term

from fused_entries

inner join totals using (place, query_id)
