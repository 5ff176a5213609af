-- One row is a pair of runs of one dataset, in one direction. While relations are
-- published, a temporary table of the pairs that are published hides this view.
select
    baselines.dataset,
    baselines.run_id as baseline_run_id,
    baselines.name as baseline,
    candidates.run_id as candidate_run_id,
    candidates.name as candidate
from runs as baselines
inner join runs as candidates using (dataset)
where baselines.run_id <> candidates.run_id
