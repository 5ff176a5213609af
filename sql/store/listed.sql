-- The queries and documents of a list, in the order of its rows.
create or replace temp table listed as
select
    row_number() over (order by staged.line_number) as row_number,
    row_number() over (partition by staged.query_id order by staged.line_number)
    - 1 as query_row,
    staged.query_id, staged.doc_id
from staged
