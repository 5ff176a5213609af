-- One row is the highest value that a judged query of an evaluation can have if
-- unjudged documents of the run are filled, that is, assumed to have a grade.
-- In most cases they are filled with documents of the best grade, from the top.
-- Under a measure that is a share of the ideal, better documents are filled in
-- at higher positions, and the best gain of each is 0 or one that the query
-- already has: between two such gains, the share is a quotient of linear terms.
-- The best share is the one from which no other choice leads to a higher share
-- (Dinkelbach 1967, Management Science 13(7)); few steps find it.
with recursive fillings as materialized (

    select
        ceiling_fillings.run_id,
        ceiling_fillings.run,
        ceiling_fillings.judgment_set_id,
        ceiling_fillings.query_id,
        ceiling_fillings.measure,
        ceiling_fillings.gain,
        ceiling_fillings.filled_from_top,
        ceiling_fillings.is_last,
        ceiling_fillings.step_amount,
        ceiling_fillings.step_divisor

    from ceiling_fillings

),

undecided as (

    select distinct
        fillings.run_id,
        fillings.run,
        fillings.judgment_set_id,
        fillings.query_id,
        fillings.measure

    from fillings

    where not fillings.is_last

),

choices as materialized (

    select
        fillings.run_id,
        fillings.run,
        fillings.judgment_set_id,
        fillings.query_id,
        fillings.measure,
        fillings.gain,
        fillings.filled_from_top,
        fillings.step_amount,
        fillings.step_divisor

    from fillings

    inner join undecided using (run_id, run, judgment_set_id, query_id, measure)

),

-- At first, all unjudged documents are filled.
climbs as (

    select
        value_parts.run_id,
        value_parts.run,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        value_parts.amount,
        (
            value_parts.amount
            + sum(fillings.step_amount order by fillings.gain)
        )
        / nullif(sum(fillings.step_divisor order by fillings.gain), 0)
            as ceiling

    from value_parts

    inner join fillings using (run_id, run, judgment_set_id, query_id, measure)

    where fillings.is_last

    group by
        value_parts.run_id,
        value_parts.run,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        value_parts.amount

    union all

    select
        chosen.run_id,
        chosen.run,
        chosen.judgment_set_id,
        chosen.query_id,
        chosen.measure,
        chosen.amount,
        (chosen.amount + sum(chosen.step_amount order by chosen.gain))
        / nullif(sum(chosen.step_divisor order by chosen.gain), 0)
            as ceiling

    from (

        select
            climbs.run_id,
            climbs.run,
            climbs.judgment_set_id,
            climbs.query_id,
            climbs.measure,
            climbs.amount,
            climbs.ceiling,
            choices.gain,
            choices.step_amount,
            choices.step_divisor,
            row_number() over (
                partition by
                    climbs.run_id,
                    climbs.run,
                    climbs.judgment_set_id,
                    climbs.query_id,
                    climbs.measure,
                    choices.gain
                order by
                    choices.step_amount
                    - climbs.ceiling * choices.step_divisor desc,
                    choices.filled_from_top desc
            ) as choice

        from climbs

        inner join choices
            using (run_id, run, judgment_set_id, query_id, measure)

    ) as chosen

    where chosen.choice = 1

    group by
        chosen.run_id,
        chosen.run,
        chosen.judgment_set_id,
        chosen.query_id,
        chosen.measure,
        chosen.amount,
        chosen.ceiling

    having
        (chosen.amount + sum(chosen.step_amount order by chosen.gain))
        / nullif(sum(chosen.step_divisor order by chosen.gain), 0)
        > chosen.ceiling + 1e-13

),

peaks as (

    select
        climbs.run_id,
        climbs.run,
        climbs.judgment_set_id,
        climbs.query_id,
        climbs.measure,
        climbs.ceiling

    from climbs

    union all

    select
        value_parts.run_id,
        value_parts.run,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        case
            when value_parts.share_of = 'relevant'
                then
                    (value_parts.amount + gap_sums.added_so_far)
                    / (
                        value_parts.divisor
                        + gap_sums.unjudged_above
                        + gap_sums.within
                    )
            when value_parts.share_of = 'first' then gap_sums.gap_worth
            else
                (value_parts.amount + gap_sums.added_so_far)
                / value_parts.divisor
        end as ceiling

    from gap_sums

    inner join value_parts
        using (run_id, run, judgment_set_id, query_id, measure)

    where
        gap_sums.share_of <> 'ideal'
        and gap_sums.within > 0

)

select
    peaks.run_id,
    peaks.run,
    peaks.judgment_set_id,
    peaks.query_id,
    peaks.measure,
    max(peaks.ceiling) as ceiling

from peaks

group by
    peaks.run_id,
    peaks.run,
    peaks.judgment_set_id,
    peaks.query_id,
    peaks.measure
