-- One row is a number of unjudged documents of a run, counted from the end of
-- the ranking, with what they add to the sum of a measure if they have the best
-- grade. Documents beyond the cutoff, which add nothing, are filled first, all
-- at once; the others follow one by one. Only such fillings can lower a value,
-- and only that of a measure that is a share of what is judged.
select
    gap_sums.run_id,
    gap_sums.run,
    gap_sums.judgment_set_id,
    gap_sums.query_id,
    gap_sums.measure,
    gap_sums.worth_rule,
    gap_sums.share_of,
    gap_sums.cutoff,
    gap_sums.unjudged_beyond as filled_from_end,
    0 as added_from_end

from gap_sums

where
    gap_sums.share_of in ('ideal', 'relevant')
    and gap_sums.unjudged_above = 0
    and gap_sums.unjudged_beyond > 0

union all

select
    gap_sums.run_id,
    gap_sums.run,
    gap_sums.judgment_set_id,
    gap_sums.query_id,
    gap_sums.measure,
    gap_sums.worth_rule,
    gap_sums.share_of,
    gap_sums.cutoff,
    gap_sums.unjudged_below
    + gap_sums.first_unjudged
    + gap_sums.within
    - positions.position as filled_from_end,
    gap_sums.added_below
    + case
        when gap_sums.worth_rule = 'precision'
            then
                (gap_sums.relevant_above - positions.position + 1)
                * (gap_sums.worth_to_end - worths_above.worth_sum)
                + (
                    gap_sums.first_unjudged
                    + gap_sums.within
                    - positions.position
                )
                * (1 + gap_sums.later_worth + gap_sums.worth_below)
        else
            gap_sums.gain * (gap_sums.worth_to_end - worths_above.worth_sum)
    end as added_from_end

from gap_sums

inner join positions
    on
        gap_sums.first_unjudged <= positions.position
        and gap_sums.first_unjudged + gap_sums.within > positions.position

inner join place_worths as worths_above using (measure)

where
    positions.position - 1 = worths_above.place
    and (
        gap_sums.share_of = 'ideal'
        or gap_sums.worth_rule = 'precision'
    )
    -- Filling more documents than the cutoff has positions does not change the
    -- ideal ranking any more.
    and (
        gap_sums.worth_rule = 'precision'
        or gap_sums.cutoff is null
        or gap_sums.unjudged_below
        + gap_sums.first_unjudged + gap_sums.within - positions.position
        <= gap_sums.cutoff
    )
