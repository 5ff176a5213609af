-- The rows of a run with their positions, as a clean file was read.
create or replace temp table staged as
select
    -- No message needs the line number of a row without faults.
    cast(null as tinyint) as line_number,
    read_rows.query_id,
    read_rows.doc_id,
    read_rows.score,
    read_rows.position

from read_rows
