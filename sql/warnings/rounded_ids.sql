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
    count(*) as row_count,
    min_by(ids.id, ids.line_number) as first_id,
    list(ids.line_number order by ids.line_number)[1:3] as first_lines
from ids
where regexp_full_match(ids.id, '[0-9][.,][0-9]+E[+][0-9]+')
having count(*) > 1
