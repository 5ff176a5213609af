-- How many described rows, and of how many queries, are of none that a run or a judgment
-- set of a dataset has, as a sentence begins, and the first such queries; and a query of
-- the runs and judgments, if all rows have unknown ones. Rows of no noun are the queries
-- themselves.
with known as materialized (
    select query_id
    from run_queries
    inner join runs using (run_id)
    where dataset = $dataset
    union
    select query_id
    from judgments
    inner join judgment_sets using (judgment_set_id)
    where dataset = $dataset
),

unknown as (
    select
        query_id,
        min(line_number) as first_line,
        cast(sum(row_count) as bigint) as row_count
    from described
    anti join known using (query_id)
    group by query_id
)

select
    case
        when $noun is null
            then count(*) || ' of these queries ' || if(count(*) = 1, 'is', 'are')
        else
            sum(row_count) || ' ' || $noun
            || if(sum(row_count) = 1, ' is of ', 's are of ')
            || if(count(*) = 1, 'a query that is', count(*) || ' queries that are')
    end as what,
    list(query_id order by first_line, query_id) as examples,
    case
        when
            $noun in ('row', 'value')
            and count(*) = (select count(distinct query_id) from described)
            then (select min(query_id) from known)
    end as own
from unknown
having count(*) > 0 and (select count(*) from known) > 0
