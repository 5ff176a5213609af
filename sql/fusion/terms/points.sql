-- De Borda's points (Aslam and Montague 2001, SIGIR): of c distinct documents
-- that the runs show for a query, a run gives c - position + 1 to each that it
-- shows. The others share the rest, (c - n + 1) / 2 each if it shows n.
with candidates as (

    select distinct
        fused_entries.query_id,
        fused_entries.doc_id

    from fused_entries

),

sizes as (

    select
        candidates.query_id,
        count(*) as size

    from candidates

    group by candidates.query_id

)

select
    fused_runs.place,
    fused_runs.weight,
    candidates.query_id,
    candidates.doc_id,
    sizes.size,
    coalesce(
        sizes.size - fused_entries.position + 1,
        (sizes.size - coalesce(fused_lengths.shown, 0) + 1) / 2
    ) as term

from candidates

cross join fused_runs

inner join sizes
    on candidates.query_id = sizes.query_id

left join fused_lengths
    on
        fused_runs.place = fused_lengths.place
        and candidates.query_id = fused_lengths.query_id

left join fused_entries
    on
        fused_runs.place = fused_entries.place
        and candidates.query_id = fused_entries.query_id
        and candidates.doc_id = fused_entries.doc_id
