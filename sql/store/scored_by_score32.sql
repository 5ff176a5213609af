-- The staged rows of a run with the score that orders them, rounded to a single
-- float. Equal scores are ordered by document id, descending by bytes: the rule
-- of trec_eval 9 and pytrec_eval.
create or replace temp view scored as
select
    staged.query_id, staged.doc_id, staged.score,
    case
        -- Scores that are infinite or too large for a single float are tied.
        when staged.score > 3.4028235677973366e38 then 1e300
        when staged.score < -3.4028235677973366e38 then -1e300
        else cast(try_cast(staged.score as real) as double)
    end as order_score
from staged
