-- One row is a judged query with the values that a registered measure gives two
-- runs under the same judgment set, their difference, and the summands of both
-- runs. The improvement is the difference, or its opposite where a lower value is
-- the better one. All of these and the weight of the query are null if the measure
-- omits it for either run. Each pair of runs is listed in both directions, so the
-- number of rows grows with the square of the number of runs: filter by the two runs.
select
    judgment_sets.dataset,
    judgment_sets.name as judgment_set,
    run_pairs.baseline, run_pairs.candidate, baseline_values.judgment_set_id,
    baseline_values.run_id as baseline_run_id,
    candidate_values.run_id as candidate_run_id,
    baseline_values.query_id, baseline_values.measure, baseline_values.summary,
    baseline_values.value as baseline_value,
    candidate_values.value as candidate_value,
    candidate_values.value - baseline_values.value as difference,
    if(baseline_values.lower_is_better, -1, 1) * (candidate_values.value - baseline_values.value)
        as improvement,
    case
        when candidate_values.value is not null then baseline_values.summand
    end as baseline_summand,
    case
        when baseline_values.value is not null then candidate_values.summand
    end as candidate_summand,
    case when candidate_values.value is not null then baseline_values.weight end as weight
from run_pairs
-- With the names, a filter by name reaches both reads of the runs.
inner join summands as baseline_values
    on
        run_pairs.baseline_run_id = baseline_values.run_id
        and run_pairs.baseline = baseline_values.run
inner join summands as candidate_values
    on
        run_pairs.candidate_run_id = candidate_values.run_id
        and run_pairs.candidate = candidate_values.run
        and baseline_values.judgment_set_id = candidate_values.judgment_set_id
        and baseline_values.measure = candidate_values.measure
        and baseline_values.query_id = candidate_values.query_id
inner join judgment_sets
    on baseline_values.judgment_set_id = judgment_sets.judgment_set_id
