-- How many rows, pairs of a query and a document, and queries are staged.
with pairs as (

    select
        staged.query_id,
        staged.doc_id,
        count(*) as row_count

    from staged

    group by
        staged.query_id,
        staged.doc_id

)

select
    cast(sum(pairs.row_count) as bigint) as row_count,
    count(*) as pair_count,
    count(distinct pairs.query_id) as query_count

from pairs
