-- One row is the lowest value that a judged query of an evaluation can have,
-- under a measure that is a share of what is judged, if unjudged documents of
-- the run have the best grade, from the end of the ranking up. Any other
-- grades, and any other choice of documents, leave the value higher.
with ideals as (

    select
        floor_fillings.run_id,
        floor_fillings.run,
        floor_fillings.judgment_set_id,
        floor_fillings.query_id,
        floor_fillings.measure,
        floor_fillings.filled_from_end,
        floor_fillings.added_from_end,
        sum(
            gain_levels.step * place_worths.worth_sum
            order by gain_levels.gain
        ) as divisor

    from floor_fillings

    inner join gain_levels using (judgment_set_id, query_id, measure)

    inner join place_worths using (measure)

    where
        least(
            gain_levels.judged_at_gain + floor_fillings.filled_from_end,
            coalesce(
                gain_levels.cutoff,
                gain_levels.judged_at_gain + floor_fillings.filled_from_end
            )
        )
        = place_worths.place
        and floor_fillings.share_of = 'ideal'

    group by
        floor_fillings.run_id,
        floor_fillings.run,
        floor_fillings.judgment_set_id,
        floor_fillings.query_id,
        floor_fillings.measure,
        floor_fillings.filled_from_end,
        floor_fillings.added_from_end

),

filled_values as (

    select
        value_parts.run_id,
        value_parts.run,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        (value_parts.amount + ideals.added_from_end) / ideals.divisor as value

    from ideals

    inner join value_parts
        using (run_id, run, judgment_set_id, query_id, measure)

    union all

    select
        value_parts.run_id,
        value_parts.run,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        (value_parts.amount + floor_fillings.added_from_end)
        / (value_parts.divisor + floor_fillings.filled_from_end) as value

    from floor_fillings

    inner join value_parts
        using (run_id, run, judgment_set_id, query_id, measure)

    where floor_fillings.share_of = 'relevant'

)

select
    filled_values.run_id,
    filled_values.run,
    filled_values.judgment_set_id,
    filled_values.query_id,
    filled_values.measure,
    min(filled_values.value) as floor

from filled_values

group by
    filled_values.run_id,
    filled_values.run,
    filled_values.judgment_set_id,
    filled_values.query_id,
    filled_values.measure
