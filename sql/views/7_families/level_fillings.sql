-- One row is a number of holes of a run, counted from the top, that hold
-- documents with a certain gain or more: what this step up from the next lower
-- gain adds to the run's sum, and what the whole step makes of the ideal's.
-- Both sums are made of such steps, so that the highest share can be found
-- step by step (see value_ceilings). Only whole gaps are filled: the further
-- down a gap, the more a hole is worth beside the place in the ideal ranking
-- that filling it takes. (Where discounts begin late, that holds from there
-- on.) And to stop at a gap is worth a try only if more is judged above the
-- next one than there is with that gain; or else there is nothing to lose.
with fillings as (

    select
        gap_sums.run_id,
        gap_sums.judgment_set_id,
        gap_sums.query_id,
        gap_sums.measure,
        gap_sums.holes_above + gap_sums.within as filled,
        gap_sums.judged_above_next as judged_above,
        gap_sums.added / gap_sums.gain as worth

    from gap_sums

    where
        gap_sums.family in ('nDCG', 'nCG')
        and gap_sums.within > 0

    union all

    select
        gap_sums.run_id,
        gap_sums.judgment_set_id,
        gap_sums.query_id,
        gap_sums.measure,
        0 as filled,
        gap_sums.judged_above,
        0 as worth

    from gap_sums

    where
        gap_sums.family in ('nDCG', 'nCG')
        and gap_sums.within > 0
        and gap_sums.holes_above = 0

    union all

    select
        gap_sums.run_id,
        gap_sums.judgment_set_id,
        gap_sums.query_id,
        gap_sums.measure,
        gap_sums.holes_above
        + positions.position
        - gap_sums.first_hole
        + 1 as filled,
        gap_sums.judged_above,
        gap_sums.added / gap_sums.gain
        - gap_sums.worth_sum
        + place_worths.worth_sum as worth

    from gap_sums

    inner join gain_measures
        on gap_sums.measure = gain_measures.measure

    inner join positions
        on
            gap_sums.first_hole <= positions.position
            and gap_sums.first_hole + gap_sums.within - 1 > positions.position

    inner join place_worths
        on
            gap_sums.measure = place_worths.measure
            and positions.position = place_worths.place

    where
        gap_sums.family = 'nDCG'
        and gain_measures.dcg in ('jk', 'exp-jk')
        and gap_sums.holes_above + positions.position - gap_sums.first_hole
        < gain_measures.base

)

select
    fillings.run_id,
    fillings.judgment_set_id,
    fillings.query_id,
    fillings.measure,
    gain_levels.gain,
    fillings.filled,
    fillings.judged_above is null as is_last,
    gain_levels.step * fillings.worth as part,
    gain_levels.step * place_worths.worth_sum as best

from fillings

inner join gain_levels
    on
        fillings.judgment_set_id = gain_levels.judgment_set_id
        and fillings.query_id = gain_levels.query_id
        and fillings.measure = gain_levels.measure
        and coalesce(fillings.judged_above > gain_levels.judged, true)

inner join place_worths
    on
        fillings.measure = place_worths.measure
        and least(
            gain_levels.judged + fillings.filled,
            coalesce(
                gain_levels.cutoff, gain_levels.judged + fillings.filled
            )
        )
        = place_worths.place
