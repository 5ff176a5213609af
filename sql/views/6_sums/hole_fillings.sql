-- One row is how many holes of a run are filled with documents of the best
-- grade, from the end of the ranking up, and what they add to what a measure
-- adds up: first all beyond the cutoff, which add nothing, then one after
-- another. Only such fillings can lower a value, that of a measure that is a
-- share of what is judged.
select
    gap_sums.run_id,
    gap_sums.judgment_set_id,
    gap_sums.query_id,
    gap_sums.measure,
    gap_sums.family,
    gap_sums.cutoff,
    gap_sums.holes_beyond as filled,
    0 as added

from gap_sums

where
    gap_sums.family in ('nDCG', 'nCG', 'AP', 'R')
    and gap_sums.holes_above = 0
    and gap_sums.holes_beyond > 0

union all

select
    gap_sums.run_id,
    gap_sums.judgment_set_id,
    gap_sums.query_id,
    gap_sums.measure,
    gap_sums.family,
    gap_sums.cutoff,
    gap_sums.holes_below
    + gap_sums.first_hole + gap_sums.within - positions.position as filled,
    gap_sums.added_below
    + case
        when gap_sums.family = 'AP'
            then
                (gap_sums.relevant_above - positions.position + 1)
                * (gap_sums.worth_sum - worths_above.worth_sum)
                + (gap_sums.first_hole + gap_sums.within - positions.position)
                * (1 + gap_sums.later_worth + gap_sums.worth_below)
        else
            gap_sums.gain * (gap_sums.worth_sum - worths_above.worth_sum)
    end as added

from gap_sums

inner join positions
    on
        gap_sums.first_hole <= positions.position
        and gap_sums.first_hole + gap_sums.within > positions.position

inner join place_worths as worths_above
    on
        gap_sums.measure = worths_above.measure
        and positions.position - 1 = worths_above.place

where
    gap_sums.family in ('nDCG', 'nCG', 'AP')
    -- More than the cutoff has places do not change the ideal any more.
    and (
        gap_sums.family = 'AP'
        or gap_sums.cutoff is null
        or gap_sums.holes_below
        + gap_sums.first_hole + gap_sums.within - positions.position
        <= gap_sums.cutoff
    )
