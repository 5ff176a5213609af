-- run {run} has no scores
select runs.name as run

from rankings

inner join fused_runs using (run_id)

inner join runs using (run_id)

where rankings.score is null

order by fused_runs.place

limit 1
