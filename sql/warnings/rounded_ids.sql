-- The ids of a file that a spreadsheet rounded, such as 4,00638E+12: how many rows have
-- one, the first such id, and the lines of the first rows. No row unless several have.
with ids as (
    select
        source_rows.line_number,
        unnest([
            source_rows.fields[$query_field],
            source_rows.fields[$doc_field]
        ]) as id
    from source_rows
)

select
    count(*) as rows,
    min_by(ids.id, ids.line_number) as example,
    list_aggregate(
        list(cast(ids.line_number as varchar) order by ids.line_number)[1:3], 'string_agg', ', '
    ) as lines
from ids
where regexp_full_match(ids.id, '[0-9][.,][0-9]+E[+][0-9]+')
having count(*) > 1
