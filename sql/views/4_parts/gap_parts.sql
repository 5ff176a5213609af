-- One row is a gap (see gaps) under a measure whose holes can be filled (see
-- best_gains): how many of its holes are within the cutoff, and what one gain
-- in each of these is worth. relevant_above and later_worth serve AP: the
-- relevant documents above the gap, and the sum of 1 / position of those below
-- it.
with listed as (

    select
        gaps.run_id,
        gaps.judgment_set_id,
        gaps.query_id,
        best_gains.measure,
        gaps.first_hole as position,
        0 as is_relevant

    from gaps

    inner join best_gains
        on gaps.judgment_set_id = best_gains.judgment_set_id

    where best_gains.family = 'AP'

    union all

    select
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure,
        relevant_hits.position,
        1 as is_relevant

    from relevant_hits

    where relevant_hits.family = 'AP'

),

surrounded as (

    select
        listed.run_id,
        listed.judgment_set_id,
        listed.query_id,
        listed.measure,
        listed.position,
        listed.is_relevant,
        sum(listed.is_relevant) over (
            partition by
                listed.run_id,
                listed.judgment_set_id,
                listed.query_id,
                listed.measure
            order by listed.position
            rows between unbounded preceding and current row
        ) as relevant_above,
        sum(listed.is_relevant / listed.position) over (
            partition by
                listed.run_id,
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
        gaps.judgment_set_id,
        gaps.query_id,
        best_gains.measure,
        best_gains.family,
        best_gains.cutoff,
        best_gains.gain,
        gaps.first_hole,
        gaps.last_hole,
        gaps.judged_above,
        least(
            gaps.first_hole - 1, coalesce(best_gains.cutoff, gaps.last_hole)
        ) as place_above,
        least(
            -- Of these, the first one counts, and no other.
            case
                when best_gains.family in ('RR', 'Success') then gaps.first_hole
                else gaps.last_hole
            end,
            coalesce(best_gains.cutoff, gaps.last_hole)
        ) as last_place

    from gaps

    inner join best_gains
        on gaps.judgment_set_id = best_gains.judgment_set_id

    where best_gains.gain > 0

)

select
    clipped.run_id,
    clipped.judgment_set_id,
    clipped.query_id,
    clipped.measure,
    clipped.family,
    clipped.cutoff,
    clipped.gain,
    clipped.first_hole,
    clipped.last_hole,
    clipped.judged_above,
    clipped.last_place - clipped.place_above as within,
    last_worths.worth_sum,
    last_worths.worth_sum - worths_above.worth_sum as worth,
    surrounded.relevant_above,
    surrounded.later_worth

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
        and clipped.judgment_set_id = surrounded.judgment_set_id
        and clipped.query_id = surrounded.query_id
        and clipped.measure = surrounded.measure
        and clipped.first_hole = surrounded.position
        and surrounded.is_relevant = 0
