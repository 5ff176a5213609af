-- One row is a gap under a measure (see gap_parts), with what documents of the
-- best grade would add to the sum that the measure is computed from: in this
-- gap and all gaps above it (added_so_far), or only in the gaps below it
-- (added_below). Beyond the cutoff they add nothing. Weights of positions are
-- added as decimals, because their sum is the same in any order and with any
-- number of threads.
with filled as (

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
        gap_parts.first_unjudged - 1 - gap_parts.judged_above as unjudged_above,
        gap_parts.last_unjudged - gap_parts.first_unjudged + 1 as size,
        gap_parts.within,
        gap_parts.gap_worth,
        gap_parts.worth_to_end,
        gap_parts.relevant_above,
        gap_parts.later_worth,
        cast(gap_parts.gap_worth as decimal(38, 18)) as exact_worth,
        cast(
            case
                -- Each precision is 1 minus the share of documents above that
                -- are not relevant, and each relevant document raises all
                -- precisions below.
                when gap_parts.worth_rule = 'precision'
                    then
                        gap_parts.within
                        - (gap_parts.judged_above - gap_parts.relevant_above)
                        * gap_parts.gap_worth
                        + gap_parts.within * gap_parts.later_worth
                else gap_parts.gap_worth
            end as decimal(38, 18)
        ) as own_worth

    from gap_parts

),

summed as (

    select
        filled.run_id,
        filled.run,
        filled.judgment_set_id,
        filled.query_id,
        filled.measure,
        filled.worth_rule,
        filled.share_of,
        filled.cutoff,
        filled.gain,
        filled.first_unjudged,
        filled.judged_above,
        filled.unjudged_above,
        filled.within,
        filled.gap_worth,
        filled.worth_to_end,
        filled.relevant_above,
        filled.later_worth,
        lead(
            case when filled.within > 0 then filled.judged_above end
        ) over above as judged_above_next,
        filled.gain
        * cast(sum(filled.own_worth) over above as double) as added_so_far,
        filled.gain
        * cast(coalesce(sum(filled.own_worth) over below, 0) as double)
            as later_added,
        cast(coalesce(sum(filled.exact_worth) over below, 0) as double)
            as worth_below,
        coalesce(sum(filled.within) over below, 0) as within_below,
        filled.size - filled.within + coalesce(
            sum(filled.size - filled.within) over below, 0
        ) as unjudged_beyond

    from filled

    window
        above as (
            partition by
                filled.run_id,
                filled.run,
                filled.judgment_set_id,
                filled.query_id,
                filled.measure
            order by filled.first_unjudged
            rows between unbounded preceding and current row
        ),
        below as (
            partition by
                filled.run_id,
                filled.run,
                filled.judgment_set_id,
                filled.query_id,
                filled.measure
            order by filled.first_unjudged
            rows between 1 following and unbounded following
        )

)

select
    summed.run_id,
    summed.run,
    summed.judgment_set_id,
    summed.query_id,
    summed.measure,
    summed.worth_rule,
    summed.share_of,
    summed.cutoff,
    summed.gain,
    summed.first_unjudged,
    summed.judged_above,
    summed.judged_above_next,
    summed.unjudged_above,
    summed.within,
    summed.within_below + summed.unjudged_beyond as unjudged_below,
    summed.unjudged_beyond,
    summed.gap_worth,
    summed.worth_to_end,
    summed.worth_below,
    summed.relevant_above,
    summed.later_worth,
    summed.added_so_far,
    case
        -- Here the documents above stay unjudged.
        when summed.worth_rule = 'precision'
            then
                summed.later_added
                - (summed.unjudged_above + summed.within) * summed.worth_below
        else summed.later_added
    end as added_below

from summed
