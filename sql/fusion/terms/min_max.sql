-- From 0 for the least score of a query to 1 for the greatest; if all are
-- equal, each is 1.
with ranges as (

    select
        fused_entries.place,
        fused_entries.query_id,
        min(fused_entries.score) as least,
        max(fused_entries.score) as greatest

    from fused_entries

    group by
        fused_entries.place,
        fused_entries.query_id

)

select
    fused_entries.place,
    fused_entries.weight,
    fused_entries.query_id,
    fused_entries.doc_id,
    case
        when ranges.greatest > ranges.least
            then
                (fused_entries.score - ranges.least)
                / (ranges.greatest - ranges.least)
        else 1
    end as term

from fused_entries

inner join ranges using (place, query_id)
