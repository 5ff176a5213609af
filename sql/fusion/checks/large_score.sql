-- run {run}: the score of document {doc_id} for query {query_id} is {score},
-- beyond 1e100
select
    runs.name as run,
    rankings.query_id,
    rankings.doc_id,
    rankings.score

from rankings

inner join fused_runs using (run_id)

inner join runs using (run_id)

where abs(rankings.score) > 1e100

order by
    fused_runs.place,
    rankings.query_id,
    rankings.position

limit 1
