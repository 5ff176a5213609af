-- The ranking of a fusion, at the positions of store/rankings_by_scores: what is left
-- of it without known documents depends on every document.
select
    $run_id as run_id,
    query_id, doc_id, score,
    row_number() over (partition by query_number order by score desc, doc_id desc) as position
from source_rows
inner join tuned_queries using (query_number)
qualify position <= coalesce($depth, position)
