-- One row is a gap (see gaps) under a measure of best_gains: how many of its
-- unjudged documents are within the cutoff, and beyond it, what one unit of gain at
-- each of their positions adds, and what documents of the best grade there would add,
-- divided by its gain (own_worth). relevant_above and later_worth serve AP: the
-- number of relevant documents above the gap, and the sum of 1 / position of the
-- relevant documents below it.
with listed as (

    select
        gaps.run_id,
        gaps.run,
        gaps.judgment_set_id,
        gaps.query_id,
        best_gains.measure,
        gaps.first_unjudged as position,
        0 as is_relevant

    from gaps

    inner join best_gains using (judgment_set_id)

    where best_gains.worth_rule = 'precision'

    union all

    select
        relevant_hits.run_id,
        relevant_hits.run,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure,
        relevant_hits.position,
        1 as is_relevant

    from relevant_hits

    inner join best_gains using (judgment_set_id, measure)

    where best_gains.worth_rule = 'precision'

),

surrounded as (

    select
        listed.run_id,
        listed.run,
        listed.judgment_set_id,
        listed.query_id,
        listed.measure,
        listed.position,
        listed.is_relevant,
        sum(listed.is_relevant) over (
            partition by
                listed.run_id,
                listed.run,
                listed.judgment_set_id,
                listed.query_id,
                listed.measure
            order by listed.position
            rows between unbounded preceding and current row
        ) as relevant_above,
        sum(listed.is_relevant / listed.position) over (
            partition by
                listed.run_id,
                listed.run,
                listed.judgment_set_id,
                listed.query_id,
                listed.measure
            order by listed.position
            rows between current row and unbounded following
        ) as later_worth

    from listed

),

clipped as (

    select
        gaps.run_id,
        gaps.run,
        gaps.judgment_set_id,
        gaps.query_id,
        best_gains.measure,
        best_gains.worth_rule,
        best_gains.share_of,
        best_gains.cutoff,
        best_gains.gain,
        gaps.first_unjudged,
        gaps.last_unjudged,
        gaps.judged_above,
        least(
            gaps.first_unjudged - 1,
            coalesce(best_gains.cutoff, gaps.last_unjudged)
        ) as place_above,
        least(
            -- Such a measure counts only the first of these documents.
            case
                when best_gains.share_of = 'first' then gaps.first_unjudged
                else gaps.last_unjudged
            end,
            coalesce(best_gains.cutoff, gaps.last_unjudged)
        ) as last_place

    from gaps

    inner join best_gains using (judgment_set_id)

    where best_gains.gain > 0

)

select
    clipped.run_id,
    clipped.run,
    clipped.judgment_set_id,
    clipped.query_id,
    clipped.measure,
    clipped.worth_rule,
    clipped.share_of,
    clipped.cutoff,
    clipped.gain,
    clipped.first_unjudged,
    clipped.last_unjudged,
    clipped.judged_above,
    clipped.last_place - clipped.place_above as within,
    clipped.last_unjudged - clipped.first_unjudged + 1
    - (clipped.last_place - clipped.place_above) as beyond,
    last_worths.worth_sum as worth_to_end,
    last_worths.worth_sum - worths_above.worth_sum as gap_worth,
    surrounded.relevant_above,
    surrounded.later_worth,
    cast(
        case
            -- Each precision is 1 minus the share of documents above that are not
            -- relevant, and each relevant document raises all precisions below.
            when clipped.worth_rule = 'precision'
                then
                    clipped.last_place - clipped.place_above
                    - (clipped.judged_above - surrounded.relevant_above)
                    * (last_worths.worth_sum - worths_above.worth_sum)
                    + (clipped.last_place - clipped.place_above)
                    * surrounded.later_worth
            else last_worths.worth_sum - worths_above.worth_sum
        end as decimal(38, 18)
    ) as own_worth

from clipped

inner join place_worths as worths_above
    on
        clipped.measure = worths_above.measure
        and clipped.place_above = worths_above.place

inner join place_worths as last_worths
    on
        clipped.measure = last_worths.measure
        and clipped.last_place = last_worths.place

left join surrounded
    on
        clipped.run_id = surrounded.run_id
        and clipped.run = surrounded.run
        and clipped.judgment_set_id = surrounded.judgment_set_id
        and clipped.query_id = surrounded.query_id
        and clipped.measure = surrounded.measure
        and clipped.first_unjudged = surrounded.position
        and surrounded.is_relevant = 0
