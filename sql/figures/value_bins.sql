-- One row is a bin of the values that a measure gives the queries of a run: how
-- many queries have a value in it, and their share of all queries. A value on
-- the edge of two bins belongs to the upper one. Bins are 0.05 wide if all
-- values are between 0 and 1; else there are 10 to 20 bins of a round width.
with valued as (
    select
        query_values.run, query_values.run_id, query_values.judgment_set_id,
        query_values.judgment_set, query_values.dataset, query_values.measure, query_values.value
    from query_values
    where
        list_contains($run_ids, query_values.run_id)
        and list_contains($judgment_set_ids, query_values.judgment_set_id)
        and list_contains($measures, query_values.measure)
        and query_values.value is not null
),

extremes as (
    select
        min(valued.value) as lowest,
        max(valued.value) as highest,
        (max(valued.value) - min(valued.value)) / 20 as least_width
    from valued
),

powers as (
    select
        -- The last bits of a sum of shares may exceed 1.
        extremes.lowest >= 0 and extremes.highest <= 1 + 1e-9 as is_share,
        extremes.least_width,
        power(10, floor(log10(nullif(extremes.least_width, 0)))) as power_of_ten
    from extremes
),

widths as (
    select
        powers.is_share,
        case
            when powers.is_share then 0.05
            when powers.power_of_ten is null then 1
            when powers.least_width <= powers.power_of_ten then powers.power_of_ten
            when powers.least_width <= 2 * powers.power_of_ten then 2 * powers.power_of_ten
            when powers.least_width <= 5 * powers.power_of_ten then 5 * powers.power_of_ten
            else 10 * powers.power_of_ten
        end as width
    from powers
),

placed as (
    select
        valued.run, valued.run_id, valued.judgment_set_id, valued.judgment_set, valued.dataset,
        valued.measure, widths.width,
        -- The last bin of shares includes 1. Rounded, because 0.15 / 0.05 is
        -- less than 3 as doubles.
        case
            when widths.is_share then least(floor(round(valued.value / widths.width, 9)), 19)
            else floor(round(valued.value / widths.width, 9))
        end as bin
    from valued
    cross join widths
)

select
    placed.run, placed.judgment_set, placed.dataset, placed.measure,
    round(placed.bin * placed.width, 12) as bin_low,
    round((placed.bin + 1) * placed.width, 12) as bin_high,
    count(*) as queries,
    count(*) / sum(count(*)) over (partition by placed.run_id) as share,
    -- The sum of queries is far from the values of each.
    case
        when measures.summary = 'sum' then run_values.value / run_values.n
        else run_values.value
    end as value,
    run_values.n
from placed
inner join measures using (measure)
inner join run_values using (run_id, measure, judgment_set_id)
group by
    placed.run, placed.run_id, placed.judgment_set, placed.dataset, placed.measure, placed.bin,
    placed.width, measures.summary, run_values.value, run_values.n
order by list_position($run_ids, placed.run_id), placed.bin
