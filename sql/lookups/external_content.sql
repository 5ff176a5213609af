-- What tells the content of each run that another engine evaluated: counts and
-- sums of hashes of its queries and its hits, whatever their order.
with content as (
    select
        staged_run_queries.run,
        md5_number(
            concat_ws(chr(31), staged_run_queries.query_id, staged_run_queries.retrieved)
        ) as hashed
    from staged_run_queries
    union all
    select
        staged_hits.run,
        md5_number(
            concat_ws(
                chr(31),
                staged_hits.query_id, staged_hits.doc_id, staged_hits.position,
                staged_hits.tie_first, staged_hits.tie_last
            )
        ) as hashed
    from staged_hits
)

select
    content.run,
    count(*) as row_count,
    cast(bit_xor(content.hashed) as varchar) as combined,
    cast(sum(content.hashed % 1000000007) as varchar) as remainder
from content
group by content.run
order by content.run
