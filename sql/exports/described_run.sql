-- The counts of a run, its position rule, and the numbers of its scores and of
-- its infinite scores.
select
    query_count, document_count, position_rule,
    count(score) as scores,
    count(*) filter (isinf(score)) as infinite
from runs
inner join rankings using (run_id)
where run_id = $id
group by all
