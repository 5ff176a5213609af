-- One row is a bin of the values that a measure gives the queries of a run: how
-- many queries have a value in it, and their share of all queries. A value on
-- the edge of two bins belongs to the upper one. Bins are 0.05 wide if all
-- values are between 0 and 1; else there are 10 to 20 bins of a round width.
with valued as (
    select run, run_id, judgment_set_id, judgment_set, dataset, measure, value
    from query_values
    where
        list_contains($run_ids, run_id)
        and list_contains($judgment_set_ids, judgment_set_id)
        and list_contains($measures, measure)
        and value is not null
),

extremes as (
    select
        -- The last bits of a sum of shares may exceed 1.
        min(value) >= 0 and max(value) <= 1 + 1e-9 as is_share,
        (max(value) - min(value)) / 20 as least_width,
        power(10, floor(log10(nullif((max(value) - min(value)) / 20, 0)))) as power_of_ten
    from valued
),

widths as (
    select
        is_share,
        case
            when is_share then 0.05
            when power_of_ten is null then 1
            when least_width <= power_of_ten then power_of_ten
            when least_width <= 2 * power_of_ten then 2 * power_of_ten
            when least_width <= 5 * power_of_ten then 5 * power_of_ten
            else 10 * power_of_ten
        end as width
    from extremes
),

placed as (
    select
        * exclude (value),
        -- The last bin of shares includes 1. Rounded, because 0.15 / 0.05 is
        -- less than 3 as doubles.
        least(floor(round(value / width, 9)), if(is_share, 19, null)) as bin
    from valued
    cross join widths
)

select
    placed.run, placed.judgment_set, placed.dataset, measure,
    round(bin * width, 12) as bin_low,
    round((bin + 1) * width, 12) as bin_high,
    count(*) as queries,
    count(*) / sum(count(*)) over (partition by run_id) as share,
    -- The sum of queries is far from the values of each.
    if(summary = 'sum', value / n, value) as value,
    n
from placed
inner join measures using (measure)
inner join run_values using (run_id, measure, judgment_set_id)
group by
    placed.run, run_id, placed.judgment_set, placed.dataset, measure, bin, width, summary, value, n
order by list_position($run_ids, run_id), bin
