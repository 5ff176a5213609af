-- Positions were assigned when the file was read.
insert into rankings (run_id, query_id, doc_id, position, score)
select
    $run_id as run_id,
    read_rows.query_id, read_rows.doc_id, read_rows.position, read_rows.score
from read_rows
