-- One row is a candidate, with the number of judged queries, and how many of
-- them the baseline answered, the candidate answered, and both answered.
select
    candidate_queries.run_id,
    count(*) as judged,
    sum(case when baseline_queries.retrieved > 0 then 1 else 0 end) as answered_by_baseline,
    sum(case when candidate_queries.retrieved > 0 then 1 else 0 end) as answered_by_candidate,
    sum(
        case
            when baseline_queries.retrieved > 0 and candidate_queries.retrieved > 0 then 1
            else 0
        end
    ) as answered_by_both
from evaluated_queries as baseline_queries
inner join evaluated_queries as candidate_queries
    using (judgment_set_id, query_id)
where
    baseline_queries.run_id = $baseline_run_id
    and list_contains($candidate_run_ids, candidate_queries.run_id)
    and baseline_queries.judgment_set_id = $judgment_set_id
group by candidate_queries.run_id
order by list_position($candidate_run_ids, candidate_queries.run_id)
