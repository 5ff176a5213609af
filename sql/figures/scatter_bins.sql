-- One row is a cell of a grid of 40 by 40 over the values of a baseline and a
-- candidate: how many queries have both values in it. A value on the edge of two
-- cells belongs to the upper one, the highest to the last.
with pairs as (

    select
        compared_values.baseline,
        compared_values.candidate,
        compared_values.judgment_set,
        compared_values.dataset,
        compared_values.measure,
        compared_values.baseline_value,
        compared_values.candidate_value

    from compared_values

    where
        compared_values.baseline_run_id = $baseline_run_id
        and list_contains($candidate_run_ids, compared_values.candidate_run_id)
        and compared_values.judgment_set_id = $judgment_set_id
        and list_contains($measures, compared_values.measure)
        and compared_values.difference is not null

),

extremes as (

    select
        least(min(pairs.baseline_value), min(pairs.candidate_value)) as lowest,
        greatest(max(pairs.baseline_value), max(pairs.candidate_value))
            as highest

    from pairs

),

-- Shares have the same cells in every figure; their last bits may exceed 1.
cells as (

    select
        case
            when extremes.lowest >= 0 and extremes.highest <= 1 + 1e-9 then 0
            else extremes.lowest
        end as origin,
        case
            when extremes.lowest >= 0 and extremes.highest <= 1 + 1e-9
                then 1 / 40
            when extremes.highest > extremes.lowest
                then (extremes.highest - extremes.lowest) / 40
            else 1
        end as width

    from extremes

),

placed as (

    select
        pairs.baseline,
        pairs.candidate,
        pairs.judgment_set,
        pairs.dataset,
        pairs.measure,
        cells.origin,
        cells.width,
        least(
            floor(
                round((pairs.baseline_value - cells.origin) / cells.width, 9)
            ),
            39
        ) as baseline_bin,
        least(
            floor(
                round((pairs.candidate_value - cells.origin) / cells.width, 9)
            ),
            39
        ) as candidate_bin

    from pairs

    cross join cells

)

select
    placed.baseline,
    placed.candidate,
    placed.judgment_set,
    placed.dataset,
    placed.measure,
    round(placed.origin + placed.baseline_bin * placed.width, 12)
        as baseline_low,
    round(placed.origin + (placed.baseline_bin + 1) * placed.width, 12)
        as baseline_high,
    round(placed.origin + placed.candidate_bin * placed.width, 12)
        as candidate_low,
    round(placed.origin + (placed.candidate_bin + 1) * placed.width, 12)
        as candidate_high,
    count(*) as queries

from placed

group by
    placed.baseline,
    placed.candidate,
    placed.judgment_set,
    placed.dataset,
    placed.measure,
    placed.origin,
    placed.width,
    placed.baseline_bin,
    placed.candidate_bin

order by
    baseline_low,
    candidate_low
