-- Positions were assigned when the file was read.
insert into rankings (run_id, query_id, doc_id, position, score)
select
    $run_id as run_id,
    staged.query_id, staged.doc_id, staged.position, staged.score
from staged
