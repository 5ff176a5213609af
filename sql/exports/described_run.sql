-- The counts of a run, its position rule, and the numbers of its scores and of
-- its infinite scores.
select
    runs.query_count, runs.document_count, runs.position_rule,
    count(rankings.score) as scores,
    count(case when isinf(rankings.score) then 1 end) as infinite
from runs
inner join rankings using (run_id)
where runs.run_id = $id
group by runs.query_count, runs.document_count, runs.position_rule
