-- One row is a run whose position rule differs from $position_rule.
select
    runs.dataset, runs.name, runs.position_rule
from runs
where list_contains($run_ids, runs.run_id) and runs.position_rule <> $position_rule
order by runs.run_id
