-- One row is a cell of a grid of 40 by 40 over the values of a baseline and a
-- candidate: how many queries have both values in it. A value on the edge of two
-- cells belongs to the upper one, the highest to the last.
with pairs as (
    select baseline, candidate, judgment_set, dataset, measure, baseline_value, candidate_value
    from compared_values
    where
        baseline_run_id = $baseline_run_id
        and list_contains($candidate_run_ids, candidate_run_id)
        and judgment_set_id = $judgment_set_id
        and list_contains($measures, measure)
        and difference is not null
),

extremes as (
    select
        least(min(baseline_value), min(candidate_value)) as lowest,
        greatest(max(baseline_value), max(candidate_value)) as highest
    from pairs
),

-- Shares have the same cells in every figure; their last bits may exceed 1.
cells as (
    select
        if(lowest >= 0 and highest <= 1 + 1e-9, 0, lowest) as origin,
        case
            when lowest >= 0 and highest <= 1 + 1e-9 then 1 / 40
            when highest > lowest then (highest - lowest) / 40
            else 1
        end as width
    from extremes
),

placed as (
    select
        *,
        least(floor(round((baseline_value - origin) / width, 9)), 39) as baseline_bin,
        least(floor(round((candidate_value - origin) / width, 9)), 39) as candidate_bin
    from pairs
    cross join cells
)

select
    baseline, candidate, judgment_set, dataset, measure,
    round(origin + baseline_bin * width, 12) as baseline_low,
    round(origin + (baseline_bin + 1) * width, 12) as baseline_high,
    round(origin + candidate_bin * width, 12) as candidate_low,
    round(origin + (candidate_bin + 1) * width, 12) as candidate_high,
    count(*) as queries
from placed
group by all
order by baseline_low, candidate_low
