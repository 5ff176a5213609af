-- The places of the columns of opinions_by_column whose values are times, another one
-- wherever an assessor grades a document of a query again.
with times as (
    select
        source_rows.place, source_rows.assessed_at,
        count(*) as row_count
    from source_rows
    group by
        source_rows.place, source_rows.query_id, source_rows.doc_id, source_rows.assessor,
        source_rows.assessed_at
)

select times.place
from times
group by times.place
having max(times.row_count) = 1 and bool_and(times.assessed_at is not null)
order by times.place
