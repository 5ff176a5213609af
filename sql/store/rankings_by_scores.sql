-- Positions are assigned once, here, in the order that the view scored defines.
insert into rankings (run_id, query_id, doc_id, position, score)
select
    $run_id as run_id,
    scored.query_id, scored.doc_id,
    row_number() over (
        partition by scored.query_id
        order by scored.order_score desc, scored.doc_id desc
    ) as position,
    scored.score
from scored
