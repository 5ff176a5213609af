-- Positions are given once, here. Order within a query: score rounded to a single float, descending, equal scores by document id,
-- descending by bytes: the rule of trec_eval 9 and pytrec_eval.
insert into rankings (run_id, query_id, doc_id, position, score)
select
    $run_id as run_id,
    staged.query_id,
    staged.doc_id,
    row_number() over (
        partition by staged.query_id
        order by
            coalesce(
                try_cast(staged.score as float),
                cast(
                    case when staged.score > 0 then 'inf' else '-inf' end
                    as float
                )
            ) desc,
            staged.doc_id desc
    ) as position,
    staged.score

from staged
