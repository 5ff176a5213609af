-- One row is a bin of the differences between the values of a candidate and the
-- baseline: how many queries have a difference in it, and their share of all
-- queries. Equal values have a row of their own, at 0. A difference on the edge
-- of two bins belongs to the one nearer to 0, so that wins and losses of the same
-- size are in bins of the same size.
with differences as (
    select
        baseline, candidate, candidate_run_id, judgment_set, dataset, measure,
        -- Differences in the last bits only are ties.
        round(difference, 12) as rounded
    from compared_values
    where
        baseline_run_id = $baseline_run_id
        and list_contains($candidate_run_ids, candidate_run_id)
        and judgment_set_id = $judgment_set_id
        and list_contains($measures, measure)
        and difference is not null
),

powers as (
    select
        max(abs(rounded)) / 20 as least_width,
        power(10, floor(log10(nullif(max(abs(rounded)) / 20, 0)))) as power_of_ten
    from differences
),

widths as (
    select
        case
            when power_of_ten is null then 1
            when least_width <= power_of_ten then power_of_ten
            when least_width <= 2 * power_of_ten then 2 * power_of_ten
            when least_width <= 5 * power_of_ten then 5 * power_of_ten
            else 10 * power_of_ten
        end as width
    from powers
),

placed as (
    select
        * exclude (rounded),
        cast(sign(rounded) as integer) as direction,
        -- The edges are those of a difference in the bin; 0 is a bin of its own.
        case sign(rounded)
            when 1 then greatest(ceil(round(rounded / width, 9)), 1) - 1
            when -1 then least(floor(round(rounded / width, 9)), -1)
            else 0
        end as bin
    from differences
    cross join widths
)

select
    baseline, candidate, judgment_set, dataset, measure,
    ['loss', 'tie', 'win'][direction + 2] as outcome,
    round(bin * width, 12) as bin_low,
    round((bin + abs(direction)) * width, 12) as bin_high,
    count(*) as queries,
    count(*) / sum(count(*)) over (partition by candidate_run_id) as share
from placed
group by
    baseline, candidate, candidate_run_id, judgment_set, dataset, measure, width, direction, bin
order by list_position($candidate_run_ids, candidate_run_id), bin, direction
