-- On which queries? One row is a query with the values of two runs by a measure.
-- contribution is what the query adds to the difference of all: its difference
-- times its share of the weights (of the traffic, where weights are searches).
-- With many queries a share is tiny: contribution_per_100k is what the query adds
-- to the sum over 100,000 searches. A query without a weight has the share 0, but
-- if no query of the dataset has one, all have the same share. What cost most
-- comes first.
with weighted as (

    select
        queries.dataset,
        count(queries.weight_share) as weights

    from queries

    group by queries.dataset

),

differences as (

    select
        run_comparisons.dataset,
        run_comparisons.judgment_set,
        run_comparisons.measure,
        run_comparisons.baseline,
        run_comparisons.candidate,
        candidates.query_id,
        coalesce(queries.text, candidates.query_id) as query,
        baselines.value as baseline_value,
        candidates.value as candidate_value,
        candidates.value - baselines.value as difference,
        queries.weight,
        case
            when weighted.weights > 0 then coalesce(queries.weight_share, 0)
            else 1.0 / run_comparisons.n
        end as weight_share

    from run_comparisons

    inner join query_values as candidates
        on
            run_comparisons.candidate_run_id = candidates.run_id
            and run_comparisons.judgment_set_id = candidates.judgment_set_id
            and run_comparisons.measure = candidates.measure

    inner join query_values as baselines
        on
            run_comparisons.baseline_run_id = baselines.run_id
            and run_comparisons.judgment_set_id = baselines.judgment_set_id
            and run_comparisons.measure = baselines.measure
            and candidates.query_id = baselines.query_id

    inner join queries
        on
            run_comparisons.dataset = queries.dataset
            and candidates.query_id = queries.query_id

    inner join weighted
        on run_comparisons.dataset = weighted.dataset

    where
        candidates.value is not null
        and baselines.value is not null

)

select
    differences.dataset,
    differences.judgment_set,
    differences.measure,
    differences.baseline,
    differences.candidate,
    differences.query_id,
    differences.query,
    differences.baseline_value,
    differences.candidate_value,
    differences.difference,
    differences.weight,
    differences.weight_share,
    differences.difference * differences.weight_share as contribution,
    differences.difference * differences.weight_share * 100000
        as contribution_per_100k

from differences

order by
    contribution,
    differences.query_id
