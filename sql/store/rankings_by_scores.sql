-- Positions are assigned once, here, in the order that the view scored defines.
insert into rankings (run_id, query_id, doc_id, position, score)
select
    $run_id as run_id,
    query_id, doc_id,
    row_number() over (partition by query_id order by order_score desc, doc_id desc) as position,
    score
from scored
