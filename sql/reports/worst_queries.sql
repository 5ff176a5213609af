-- One row is a row of a report by query, of the queries of each run with the
-- lowest values of the first measure; the lowest comes first.
with placed as (
    select
        answer_rows.dataset,
        answer_rows.run,
        answer_rows.query_id,
        min(answer_rows.row_number) over (
            partition by answer_rows.dataset, answer_rows.run
        ) as run_place,
        row_number() over (
            partition by answer_rows.dataset, answer_rows.run
            order by answer_rows.value, answer_rows.query_id
        ) as place
    from answer_rows
    where
        answer_rows.measure = $measures[1]
        and answer_rows.value is not null
)

select answer_rows.* exclude (row_number)  -- noqa: RF02
from answer_rows
inner join placed using (dataset, run, query_id)
where placed.place <= $count
order by
    answer_rows.dataset,
    placed.run_place,
    placed.place,
    answer_rows.row_number
