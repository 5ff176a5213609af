-- One row is a gap under a measure (see gap_parts), with what documents of the
-- best grade would add to the sum that the measure is computed from: in this
-- gap and all gaps above it (added_so_far), or only in the gaps below it
-- (added_below). Beyond the cutoff they add nothing. Weights of positions are
-- added as decimals, because their sum is the same in any order and with any
-- number of threads.
select
    gap_parts.run_id,
    gap_parts.run,
    gap_parts.judgment_set_id,
    gap_parts.query_id,
    gap_parts.measure,
    gap_parts.worth_rule,
    gap_parts.share_of,
    gap_parts.cutoff,
    gap_parts.gain,
    gap_parts.first_unjudged,
    gap_parts.judged_above,
    lead(
        case when gap_parts.within > 0 then gap_parts.judged_above end
    ) over above as judged_above_next,
    gap_parts.first_unjudged - 1 - gap_parts.judged_above as unjudged_above,
    gap_parts.within,
    coalesce(sum(gap_parts.within + gap_parts.beyond) over below, 0)
    + gap_parts.beyond as unjudged_below,
    coalesce(sum(gap_parts.beyond) over below, 0)
    + gap_parts.beyond as unjudged_beyond,
    gap_parts.gap_worth,
    gap_parts.worth_to_end,
    cast(
        coalesce(
            sum(cast(gap_parts.gap_worth as decimal(38, 18))) over below, 0
        ) as double
    ) as worth_below,
    gap_parts.relevant_above,
    gap_parts.later_worth,
    gap_parts.gain
    * cast(sum(gap_parts.own_worth) over above as double) as added_so_far,
    gap_parts.gain
    * cast(coalesce(sum(gap_parts.own_worth) over below, 0) as double)
    - case
        -- Here the documents above stay unjudged.
        when gap_parts.worth_rule = 'precision'
            then
                (
                    gap_parts.first_unjudged - 1 - gap_parts.judged_above
                    + gap_parts.within
                )
                * cast(
                    coalesce(
                        sum(
                            cast(gap_parts.gap_worth as decimal(38, 18))
                        ) over below,
                        0
                    ) as double
                )
        else 0
    end as added_below

from gap_parts

window
    down as (
        partition by
            gap_parts.run_id,
            gap_parts.run,
            gap_parts.judgment_set_id,
            gap_parts.query_id,
            gap_parts.measure
        order by gap_parts.first_unjudged
    ),
    above as (
        down rows between unbounded preceding and current row
    ),
    below as (
        down rows between 1 following and unbounded following
    )
