-- One row is a judged query of an evaluation under a measure whose holes can
-- be filled (see best_gains): the value as it is, what it is made of (part of
-- best), and what that would be if one more document of the best grade were
-- known: best_if_one_more, and the value if the run does not return it.
with steps as (

    select
        gain_levels.judgment_set_id,
        gain_levels.query_id,
        gain_levels.measure,
        sum(gain_levels.step * worths.worth_sum) over up as best,
        sum(gain_levels.step * worths_of_more.worth_sum) over up
            as best_if_one_more,
        lead(gain_levels.gain) over up as next_gain

    from gain_levels

    inner join place_worths as worths
        on
            gain_levels.measure = worths.measure
            and least(
                gain_levels.judged,
                coalesce(gain_levels.cutoff, gain_levels.judged)
            )
            = worths.place

    inner join place_worths as worths_of_more
        on
            gain_levels.measure = worths_of_more.measure
            and least(
                gain_levels.judged + 1,
                coalesce(gain_levels.cutoff, gain_levels.judged + 1)
            )
            = worths_of_more.place

    window
        up as (
            partition by
                gain_levels.judgment_set_id,
                gain_levels.query_id,
                gain_levels.measure
            order by gain_levels.gain
            rows between unbounded preceding and current row
        )

),

shares as (

    select
        stored_values.run_id,
        stored_values.judgment_set_id,
        stored_values.query_id,
        stored_values.measure,
        best_gains.family,
        best_gains.gain,
        stored_values.value,
        case
            when best_gains.family in ('nDCG', 'nCG')
                then coalesce(steps.best, 0)
            when best_gains.family in ('AP', 'R')
                then coalesce(relevant_documents.relevant, 0)
            when best_gains.family = 'P'
                then coalesce(best_gains.cutoff, run_queries.retrieved, 0)
            else 1
        end as best,
        steps.best_if_one_more

    from stored_values

    inner join best_gains
        on
            stored_values.judgment_set_id = best_gains.judgment_set_id
            and stored_values.measure = best_gains.measure

    left join steps
        on
            stored_values.judgment_set_id = steps.judgment_set_id
            and stored_values.query_id = steps.query_id
            and stored_values.measure = steps.measure
            and steps.next_gain is null

    left join relevant_documents
        on
            stored_values.judgment_set_id = relevant_documents.judgment_set_id
            and stored_values.query_id = relevant_documents.query_id
            and stored_values.measure = relevant_documents.measure

    left join run_queries
        on
            stored_values.run_id = run_queries.run_id
            and stored_values.query_id = run_queries.query_id

),

parts as (

    select
        shares.run_id,
        shares.judgment_set_id,
        shares.query_id,
        shares.measure,
        shares.family,
        shares.gain,
        shares.value,
        shares.value * shares.best as part,
        shares.best,
        case
            when shares.gain <= 0 then shares.best
            when shares.family in ('nDCG', 'nCG') then shares.best_if_one_more
            when shares.family in ('AP', 'R') then shares.best + 1
            else shares.best
        end as best_if_one_more

    from shares

)

select
    parts.run_id,
    parts.judgment_set_id,
    parts.query_id,
    parts.measure,
    parts.family,
    parts.gain,
    parts.value,
    parts.part,
    parts.best,
    parts.best_if_one_more,
    case
        when
            parts.gain > 0
            and parts.family in ('nDCG', 'nCG', 'AP', 'R')
            then parts.part / parts.best_if_one_more
        else parts.value
    end as value_if_missed

from parts
