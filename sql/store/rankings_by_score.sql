-- Positions are given once, here. Order within a query: score descending, equal scores by document id, descending by bytes: the rule
-- of trec_eval 10.
insert into rankings (run_id, query_id, doc_id, position, score)
select
    $run_id as run_id,
    staged.query_id,
    staged.doc_id,
    row_number() over (
        partition by staged.query_id
        order by
            staged.score desc,
            staged.doc_id desc
    ) as position,
    staged.score

from staged
