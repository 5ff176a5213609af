-- The share of the sum of the scores of a query, after the least is taken off;
-- if all are equal, each has the same share.
with ranges as (

    select
        fused_entries.place,
        fused_entries.query_id,
        min(fused_entries.score) as least,
        count(*) as shown

    from fused_entries

    group by
        fused_entries.place,
        fused_entries.query_id

),

totals as (

    select
        fused_entries.place,
        fused_entries.query_id,
        ranges.least,
        ranges.shown,
        sum(
            fused_entries.score - ranges.least order by fused_entries.position
        ) as total

    from fused_entries

    inner join ranges using (place, query_id)

    group by
        fused_entries.place,
        fused_entries.query_id,
        ranges.least,
        ranges.shown

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
