-- De Borda's points of terms/points, added up. Of r runs, s show a document; of
-- c distinct documents of its query, a run shows n, and gives the document
-- c - position + 1 points, or (c - n + 1) / 2 if it does not show it. That is
-- ((r + s) (c + 1) - sum of n) / 2, less position - n / 2 of the runs that show
-- it. All are halves of whole numbers, so that no sum is rounded.
with sizes as (

    select
        source_rows.query_id,
        count(*) as size,
        sum(source_rows.shown) as shown

    from source_rows

    group by source_rows.query_id

),

run_counts as (

    select count(*) as run_count

    from fused_runs

)

select
    source_rows.query_id,
    source_rows.doc_id,
    (
        (run_counts.run_count + source_rows.shown) * (sizes.size + 1)
        - sizes.shown
    ) / 2 - source_rows.term as term

from source_rows

inner join sizes using (query_id)

cross join run_counts
