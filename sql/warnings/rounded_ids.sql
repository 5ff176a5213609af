-- The ids of a file that a spreadsheet rounded, such as 4,00638E+12: how many rows have
-- one, the first such id, and the lines of the first rows. No row unless several have.
with ids as (
    select
        line_number,
        unnest([fields[$query_field], fields[$doc_field]]) as id
    from source_rows
)

select
    count(*) as rows,
    min_by(id, line_number) as example,
    array_to_string(list(line_number order by line_number)[1:3], ', ') as lines
from ids
where regexp_full_match(id, '[0-9][.,][0-9]+E[+][0-9]+')
having count(*) > 1
