-- The share of the greatest score of a query, which is above 0.
with ranges as (

    select
        fused_entries.place,
        fused_entries.query_id,
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
    fused_entries.score / ranges.greatest as term

from fused_entries

inner join ranges using (place, query_id)
