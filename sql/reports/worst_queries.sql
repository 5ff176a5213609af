-- One row is a row of a report by query, of the queries of each run with the
-- lowest values of the first measure, or the highest of one that is best if low; the worst comes
-- first.
with placed as (
    select
        dataset, run, query_id,
        min(row_number) over (partition by dataset, run) as run_place,
        row_number() over (
            partition by dataset, run
            order by if(lower_is_better, -value, value), query_id
        ) as place
    from answer_rows
    inner join measures using (measure)
    where measure = $measures[1] and value is not null
)

select answer_rows.* exclude (row_number)  -- noqa: RF02
from answer_rows
inner join placed using (dataset, run, query_id)
where place <= $count
order by dataset, run_place, place, row_number
