-- A run, cut off at a depth.
create or replace temp table staged as
select
    scored.query_id, scored.doc_id, scored.score
from scored
qualify
    row_number()
        over (partition by scored.query_id order by scored.order_score desc, scored.doc_id desc)
    <= $depth
