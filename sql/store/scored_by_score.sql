-- The staged rows of a run with the score that orders them. Equal scores are
-- ordered by document id, descending by bytes: the rule of trec_eval 10.
create or replace temp view scored as
select
    staged.query_id, staged.doc_id, staged.score,
    staged.score as order_score
from staged
