-- One row is a gap under a measure (see gap_parts), with what documents of the
-- best grade would add to what the measure adds up: in the holes of this
-- gap and of all above it (added), or of those below it alone (added_below);
-- nothing beyond the cutoff.
with filled as (

    select
        gap_parts.run_id,
        gap_parts.judgment_set_id,
        gap_parts.query_id,
        gap_parts.measure,
        gap_parts.family,
        gap_parts.cutoff,
        gap_parts.gain,
        gap_parts.first_hole,
        gap_parts.judged_above,
        gap_parts.first_hole - 1 - gap_parts.judged_above as holes_above,
        gap_parts.last_hole - gap_parts.first_hole + 1 as holes,
        gap_parts.within,
        gap_parts.worth,
        gap_parts.worth_sum,
        gap_parts.relevant_above,
        gap_parts.later_worth,
        case
            -- Each precision is 1 less the share of what is not relevant
            -- above, and a filled hole lifts all the precisions below it.
            when gap_parts.family = 'AP'
                then
                    gap_parts.within
                    - (gap_parts.judged_above - gap_parts.relevant_above)
                    * gap_parts.worth
                    + gap_parts.within * gap_parts.later_worth
            else gap_parts.gain * gap_parts.worth
        end as own_added

    from gap_parts

),

summed as (

    select
        filled.run_id,
        filled.judgment_set_id,
        filled.query_id,
        filled.measure,
        filled.family,
        filled.cutoff,
        filled.gain,
        filled.first_hole,
        filled.judged_above,
        filled.holes_above,
        filled.within,
        filled.worth,
        filled.worth_sum,
        filled.relevant_above,
        filled.later_worth,
        lead(
            case when filled.within > 0 then filled.judged_above end
        ) over above as judged_above_next,
        sum(filled.own_added) over above as added,
        coalesce(sum(filled.own_added) over below, 0) as later_added,
        coalesce(sum(filled.worth) over below, 0) as worth_below,
        coalesce(sum(filled.within) over below, 0) as within_below,
        filled.holes - filled.within + coalesce(
            sum(filled.holes - filled.within) over below, 0
        ) as holes_beyond

    from filled

    window
        above as (
            partition by
                filled.run_id,
                filled.judgment_set_id,
                filled.query_id,
                filled.measure
            order by filled.first_hole
            rows between unbounded preceding and current row
        ),
        below as (
            partition by
                filled.run_id,
                filled.judgment_set_id,
                filled.query_id,
                filled.measure
            order by filled.first_hole
            rows between 1 following and unbounded following
        )

)

select
    summed.run_id,
    summed.judgment_set_id,
    summed.query_id,
    summed.measure,
    summed.family,
    summed.cutoff,
    summed.gain,
    summed.first_hole,
    summed.judged_above,
    summed.judged_above_next,
    summed.holes_above,
    summed.within,
    summed.within_below + summed.holes_beyond as holes_below,
    summed.holes_beyond,
    summed.worth,
    summed.worth_sum,
    summed.worth_below,
    summed.relevant_above,
    summed.later_worth,
    summed.added,
    case
        -- Here the holes above are not filled.
        when summed.family = 'AP'
            then
                summed.later_added
                - (summed.holes_above + summed.within) * summed.worth_below
        else summed.later_added
    end as added_below

from summed
