-- Can more judgments change the order? One row is a candidate beside a baseline,
-- by a measure, with the lowest and the highest value that each run could have
-- if the unjudged documents that it returned were judged. value_bounds is not
-- published where it is too large; ndcg-sql report --bounds answers then.
with reached as (

    select
        value_bounds.dataset,
        value_bounds.judgment_set,
        value_bounds.judgment_set_id,
        value_bounds.measure,
        value_bounds.run,
        value_bounds.run_id,
        avg(value_bounds.value) as mean_value,
        avg(value_bounds.floor) as floor,
        avg(value_bounds.ceiling) as ceiling

    from value_bounds

    group by
        value_bounds.dataset,
        value_bounds.judgment_set,
        value_bounds.judgment_set_id,
        value_bounds.measure,
        value_bounds.run,
        value_bounds.run_id

)

select
    candidates.dataset,
    candidates.judgment_set,
    candidates.measure,
    baselines.run as baseline,
    candidates.run as candidate,
    case
        when
            candidates.mean_value >= baselines.mean_value
            and candidates.floor >= baselines.ceiling
            then 'no'
        when
            candidates.mean_value <= baselines.mean_value
            and candidates.ceiling <= baselines.floor
            then 'no'
        else 'yes'
    end as order_can_change,
    baselines.mean_value as baseline_value,
    baselines.floor as baseline_floor,
    baselines.ceiling as baseline_ceiling,
    candidates.mean_value as candidate_value,
    candidates.floor as candidate_floor,
    candidates.ceiling as candidate_ceiling

from reached as candidates

inner join reached as baselines
    on
        candidates.judgment_set_id = baselines.judgment_set_id
        and candidates.measure = baselines.measure
        and candidates.run_id <> baselines.run_id

order by
    candidates.run,
    baselines.run,
    candidates.measure
