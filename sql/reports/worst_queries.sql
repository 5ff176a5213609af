-- One row is a row of a report by query, of the queries of each run with the
-- lowest values of the first measure; the lowest comes first.
with placed as (

    select
        output_rows.dataset,
        output_rows.run,
        output_rows.query_id,
        min(output_rows.rowid) over (
            partition by output_rows.dataset, output_rows.run
        ) as run_place,
        row_number() over (
            partition by output_rows.dataset, output_rows.run
            order by output_rows.value, output_rows.query_id
        ) as place

    from output_rows

    where
        output_rows.measure = $measures[1]
        and output_rows.value is not null

)

select output_rows.*  -- noqa: RF02

from output_rows

inner join placed
    on
        output_rows.dataset = placed.dataset
        and output_rows.run = placed.run
        and output_rows.query_id = placed.query_id

where placed.place <= $count

order by
    output_rows.dataset,
    placed.run_place,
    placed.place,
    output_rows.rowid
