-- Positions are given once, here. Order within a query: the file's rank, or its order of lines where it has no ranks.
insert into rankings (run_id, query_id, doc_id, position, score)
select
    $run_id as run_id,
    staged.query_id,
    staged.doc_id,
    row_number() over (
        partition by staged.query_id
        order by
            staged.rank,
            staged.line_number
    ) as position,
    staged.score

from staged
