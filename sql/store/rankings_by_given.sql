-- Positions are assigned once, here. Within a query, they follow the ranks of
-- the file, or the order of its lines if it has no ranks.
insert into rankings (run_id, query_id, doc_id, position, score)
select
    $run_id as run_id,
    query_id, doc_id,
    row_number() over (partition by query_id order by rank, line_number) as position,
    score
from staged
