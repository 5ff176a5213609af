-- the fused score of document {doc_id} for query {query_id} is {score}
select
    staged.query_id,
    staged.doc_id,
    staged.score

from staged

where not isfinite(staged.score)

order by
    staged.query_id,
    staged.doc_id

limit 1
