-- One row is a bin of the differences between the values of a candidate and the
-- baseline: how many queries have a difference in it, and their share of all
-- queries. Equal values have a row of their own, at 0. A difference on the edge
-- of two bins belongs to the one nearer to 0, so that wins and losses of the same
-- size are in bins of the same size.
with differences as (

    select
        compared_values.baseline,
        compared_values.candidate,
        compared_values.candidate_run_id,
        compared_values.judgment_set,
        compared_values.dataset,
        compared_values.measure,
        -- Differences in the last bits only are ties.
        round(compared_values.difference, 12) as difference

    from compared_values

    where
        compared_values.baseline_run_id = $baseline_run_id
        and list_contains($candidate_run_ids, compared_values.candidate_run_id)
        and compared_values.judgment_set_id = $judgment_set_id
        and list_contains($measures, compared_values.measure)
        and compared_values.difference is not null

),

powers as (

    select
        max(abs(differences.difference)) / 20 as least_width,
        power(
            10, floor(log10(nullif(max(abs(differences.difference)) / 20, 0)))
        ) as power_of_ten

    from differences

),

widths as (

    select
        case
            when powers.power_of_ten is null then 1
            when powers.least_width <= powers.power_of_ten
                then powers.power_of_ten
            when powers.least_width <= 2 * powers.power_of_ten
                then 2 * powers.power_of_ten
            when powers.least_width <= 5 * powers.power_of_ten
                then 5 * powers.power_of_ten
            else 10 * powers.power_of_ten
        end as width

    from powers

),

placed as (

    select
        differences.baseline,
        differences.candidate,
        differences.candidate_run_id,
        differences.judgment_set,
        differences.dataset,
        differences.measure,
        widths.width,
        cast(sign(differences.difference) as integer) as direction,
        -- The edges are those of a difference in the bin; 0 is a bin of its own.
        case sign(differences.difference)
            when 1
                then
                    greatest(
                        ceil(round(differences.difference / widths.width, 9)),
                        1
                    )
                    - 1
            when -1
                then
                    least(
                        floor(round(differences.difference / widths.width, 9)),
                        -1
                    )
            else 0
        end as bin

    from differences

    cross join widths

)

select
    placed.baseline,
    placed.candidate,
    placed.judgment_set,
    placed.dataset,
    placed.measure,
    case placed.direction
        when 1 then 'win'
        when -1 then 'loss'
        else 'tie'
    end as outcome,
    round(placed.bin * placed.width, 12) as bin_low,
    round((placed.bin + abs(placed.direction)) * placed.width, 12) as bin_high,
    count(*) as queries,
    count(*) / sum(count(*)) over (partition by placed.candidate_run_id)
        as share

from placed

group by
    placed.baseline,
    placed.candidate,
    placed.candidate_run_id,
    placed.judgment_set,
    placed.dataset,
    placed.measure,
    placed.width,
    placed.direction,
    placed.bin

order by
    list_position($candidate_run_ids, placed.candidate_run_id),
    placed.bin,
    placed.direction
