-- run {run}: the greatest score for query {query_id} is {score}, not above 0
select
    runs.name as run,
    rankings.query_id,
    max(rankings.score) as score

from rankings

inner join fused_runs using (run_id)

inner join runs using (run_id)

group by
    fused_runs.place,
    runs.name,
    rankings.query_id

having max(rankings.score) <= 0

order by
    fused_runs.place,
    rankings.query_id

limit 1
