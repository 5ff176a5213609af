-- Every run, and whether its rankings are here: it may have values alone.
select
    runs.run_id, runs.dataset, runs.name,
    runs.query_count > 0 as has_rankings
from runs
order by runs.run_id
