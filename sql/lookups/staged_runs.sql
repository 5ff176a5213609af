-- How many runs the staged rows of a file name, and whether these are likely to
-- be names of runs. Real TREC files exist whose last field differs from row to
-- row: trec_eval ignores it.
with first_ranks as (
    select
        min(rank) as first_rank,
        min(min(rank)) over (partition by query_id) as first_rank_of_query
    from staged
    group by run, query_id
),

whole as (
    select
        count(*) as list_count,
        coalesce(bool_and(first_rank is null or first_rank = first_rank_of_query), true)
            as are_lists_whole
    from first_ranks
),

shared as (
    select 1
    from staged
    group by staged.query_id, staged.doc_id
    having count(distinct staged.run) > 1
),

counts as (
    select
        cast($is_named as boolean) as is_named,
        count(distinct staged.run) as run_count,
        count(distinct staged.query_id) as query_count,
        count(*) as row_count
    from staged
)

select
    counts.run_count, counts.row_count,
    case
        -- A column that is called by a name for runs holds other things only if
        -- it has many values, such as the models of products.
        when counts.is_named
            then
                counts.run_count <= 20
                or (2 * counts.run_count <= counts.row_count and exists (from shared))
        -- Two systems return some of the same documents, and each list begins at
        -- the first rank.
        else
            2 * counts.run_count <= counts.row_count
            and (
                exists (from shared)
                -- A field that only repeats the query names no run.
                or (
                    whole.are_lists_whole
                    and (
                        whole.list_count > counts.run_count
                        or whole.list_count > counts.query_count
                    )
                )
            )
    end as are_names
from counts
cross join whole
