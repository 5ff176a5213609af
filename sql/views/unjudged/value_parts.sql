-- One row is a judged query of an evaluation under a measure of best_gains.
-- value is amount / divisor. divisor_if_one_more is the divisor if one more
-- document of the best grade were known; value_if_missed is the value if the
-- run does not return that document.
with steps as (

    select
        gain_levels.judgment_set_id,
        gain_levels.query_id,
        gain_levels.measure,
        sum(gain_levels.step * worths.worth_sum) over up as divisor,
        sum(gain_levels.step * worths_of_more.worth_sum) over up
            as divisor_if_one_more,
        lead(gain_levels.gain) over up as next_gain

    from gain_levels

    inner join place_worths as worths using (measure)

    inner join place_worths as worths_of_more using (measure)

    where
        least(
            gain_levels.judged_at_gain,
            coalesce(gain_levels.cutoff, gain_levels.judged_at_gain)
        )
        = worths.place
        and least(
            gain_levels.judged_at_gain + 1,
            coalesce(gain_levels.cutoff, gain_levels.judged_at_gain + 1)
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
        runs.name as run,
        stored_values.judgment_set_id,
        stored_values.query_id,
        stored_values.measure,
        best_gains.worth_rule,
        best_gains.share_of,
        best_gains.gain,
        stored_values.value,
        case
            when best_gains.share_of = 'ideal'
                then coalesce(steps.divisor, 0)
            when best_gains.share_of = 'relevant'
                then coalesce(relevant_documents.relevant, 0)
            when best_gains.share_of = 'shown'
                then coalesce(best_gains.cutoff, run_queries.retrieved, 0)
            else 1
        end as divisor,
        -- Null if one more changes nothing.
        case
            when best_gains.gain > 0 and best_gains.share_of = 'ideal'
                then steps.divisor_if_one_more
            when best_gains.gain > 0 and best_gains.share_of = 'relevant'
                then coalesce(relevant_documents.relevant, 0) + 1
        end as divisor_if_one_more

    from stored_values

    inner join runs using (run_id)

    inner join best_gains using (judgment_set_id, measure)

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

)

select
    shares.run_id,
    shares.run,
    shares.judgment_set_id,
    shares.query_id,
    shares.measure,
    shares.worth_rule,
    shares.share_of,
    shares.gain,
    shares.value,
    shares.value * shares.divisor as amount,
    shares.divisor,
    coalesce(shares.divisor_if_one_more, shares.divisor)
        as divisor_if_one_more,
    coalesce(
        shares.value * shares.divisor / shares.divisor_if_one_more,
        shares.value
    ) as value_if_missed

from shares
