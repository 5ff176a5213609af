-- How many staged rows are of queries that no run and no judgment set of a
-- dataset contains, and the first such queries.
with unknown as (

    select
        staged.query_id,
        min(staged.line_number) as first_line,
        count(*) as row_count

    from staged

    where
        staged.query_id not in (
            select run_queries.query_id
            from run_queries
            inner join runs using (run_id)
            where runs.dataset = $dataset
        )
        and staged.query_id not in (
            select judgments.query_id
            from judgments
            inner join judgment_sets using (judgment_set_id)
            where judgment_sets.dataset = $dataset
        )

    group by staged.query_id

)

select
    cast(sum(unknown.row_count) over () as bigint) as row_count,
    count(*) over () as query_count,
    unknown.query_id

from unknown

order by unknown.first_line

limit 5
