-- How many rows and queries unknown_queries has, as a sentence begins, and the first such
-- queries; and a query of the runs and judgments, if all rows have unknown ones. Rows of
-- no noun are the queries themselves.
with known as (
    select run_queries.query_id
    from run_queries
    inner join runs using (run_id)
    where runs.dataset = $dataset
    union all
    select judgments.query_id
    from judgments
    inner join judgment_sets using (judgment_set_id)
    where judgment_sets.dataset = $dataset
),

unknown as (
    select
        source_rows.query_id,
        min(source_rows.line_number) as first_line,
        cast(sum(source_rows.row_count) as bigint) as row_count
    from source_rows
    group by source_rows.query_id
)

select
    case
        when $noun is null
            then count(*) || ' of these queries ' || if(count(*) = 1, 'is', 'are')
        else
            sum(unknown.row_count) || ' ' || $noun
            || if(sum(unknown.row_count) = 1, ' is of ', 's are of ')
            || if(count(*) = 1, 'a query that is', count(*) || ' queries that are')
    end as what,
    list(unknown.query_id order by unknown.first_line, unknown.query_id) as examples,
    case
        when $noun = 'row' and count(*) = (select count(distinct query_id) from described)
            then (select min(known.query_id) from known)
    end as own
from unknown
having count(*) > 0
