-- One row is a filling: the first filled_from_top unjudged documents of a run
-- are assumed to have a certain gain or more. step_amount is what the step up
-- from the next lower gain adds to the sum of the run; step_divisor is what
-- that step adds to the sum of the ideal ranking, its judged documents
-- included. Both sums consist of such steps, so the highest share can be found
-- step by step (see value_ceilings). Only whole gaps are filled: further down a
-- gap, the weight of a position rises relative to the weight of the position
-- that it takes in the ideal ranking. (If discounts begin late, that holds from
-- there on.) A filling that stops at a gap is tried only if more documents are
-- judged above the next gap than are judged to have this gain or more;
-- otherwise filling the next gap loses nothing.
with fillings as (

    select
        gap_sums.run_id,
        gap_sums.run,
        gap_sums.judgment_set_id,
        gap_sums.query_id,
        gap_sums.measure,
        gap_sums.unjudged_above + gap_sums.within as filled_from_top,
        gap_sums.judged_above_next as judged_above,
        gap_sums.added_so_far / gap_sums.gain as worth

    from gap_sums

    where
        gap_sums.share_of = 'ideal'
        and gap_sums.within > 0

    union all

    select
        gap_sums.run_id,
        gap_sums.run,
        gap_sums.judgment_set_id,
        gap_sums.query_id,
        gap_sums.measure,
        0 as filled_from_top,
        gap_sums.judged_above,
        0 as worth

    from gap_sums

    where
        gap_sums.share_of = 'ideal'
        and gap_sums.within > 0
        and gap_sums.unjudged_above = 0

    union all

    select
        gap_sums.run_id,
        gap_sums.run,
        gap_sums.judgment_set_id,
        gap_sums.query_id,
        gap_sums.measure,
        gap_sums.unjudged_above
        + positions.position
        - gap_sums.first_unjudged
        + 1 as filled_from_top,
        gap_sums.judged_above,
        gap_sums.added_so_far / gap_sums.gain
        - gap_sums.worth_to_end
        + place_worths.worth_sum as worth

    from gap_sums

    inner join gain_measures using (measure)

    inner join positions
        on
            gap_sums.first_unjudged <= positions.position
            and gap_sums.first_unjudged + gap_sums.within - 1
            > positions.position

    inner join place_worths
        on
            gap_sums.measure = place_worths.measure
            and positions.position = place_worths.place

    where
        gap_sums.worth_rule = 'discount'
        and gap_sums.share_of = 'ideal'
        and gain_measures.dcg_kind in ('jk', 'exp-jk')
        and gap_sums.unjudged_above
        + positions.position
        - gap_sums.first_unjudged
        < gain_measures.base

),

-- DuckDB would look up each place of a measure, and drop all but one.
levels as materialized (

    select
        fillings.run_id,
        fillings.run,
        fillings.judgment_set_id,
        fillings.query_id,
        fillings.measure,
        fillings.filled_from_top,
        fillings.judged_above,
        fillings.worth,
        gain_levels.gain,
        gain_levels.step,
        least(
            gain_levels.judged_at_gain + fillings.filled_from_top,
            coalesce(
                gain_levels.cutoff,
                gain_levels.judged_at_gain + fillings.filled_from_top
            )
        ) as place

    from fillings

    inner join gain_levels using (judgment_set_id, query_id, measure)

    where coalesce(fillings.judged_above > gain_levels.judged_at_gain, true)

)

select
    levels.run_id,
    levels.run,
    levels.judgment_set_id,
    levels.query_id,
    levels.measure,
    levels.gain,
    levels.filled_from_top,
    levels.judged_above is null as is_last,
    levels.step * levels.worth as step_amount,
    levels.step * place_worths.worth_sum as step_divisor

from levels

inner join place_worths using (measure, place)
