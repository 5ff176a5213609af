-- One row is a candidate, with the number of judged queries, and how many of
-- them the baseline answered, the candidate answered, and both answered.
select
    candidates.run_id,
    count(*) as judged,
    count(*) filter (baselines.retrieved > 0) as answered_by_baseline,
    count(*) filter (candidates.retrieved > 0) as answered_by_candidate,
    count(*) filter (least(baselines.retrieved, candidates.retrieved) > 0) as answered_by_both
from evaluated_queries as baselines
inner join evaluated_queries as candidates using (judgment_set_id, query_id)
where
    baselines.run_id = $baseline_run_id
    and list_contains($candidate_run_ids, candidates.run_id)
    and judgment_set_id = $judgment_set_id
group by candidates.run_id
order by list_position($candidate_run_ids, candidates.run_id)
