-- One row is the lowest value that a judged query of an evaluation can have,
-- under a measure that is a share of what is judged, if unjudged documents of
-- the run have the best grade, from the end of the ranking up. Any other
-- grades, and any other choice of documents, leave the value higher.
with fillings as materialized (

    select
        floor_fillings.run_id,
        floor_fillings.run,
        floor_fillings.judgment_set_id,
        floor_fillings.query_id,
        floor_fillings.measure,
        floor_fillings.share_of,
        floor_fillings.filled_from_end,
        floor_fillings.added_from_end

    from floor_fillings

),

-- Runs share their ideal rankings.
counts as (

    select distinct
        fillings.judgment_set_id,
        fillings.query_id,
        fillings.measure,
        fillings.filled_from_end

    from fillings

    where fillings.share_of = 'ideal'

),

-- DuckDB would look up each place of a measure, and drop all but one.
levels as materialized (

    select
        counts.judgment_set_id,
        counts.query_id,
        counts.measure,
        counts.filled_from_end,
        gain_levels.gain,
        gain_levels.step,
        least(
            gain_levels.judged_at_gain + counts.filled_from_end,
            coalesce(
                gain_levels.cutoff,
                gain_levels.judged_at_gain + counts.filled_from_end
            )
        ) as place

    from counts

    inner join gain_levels using (judgment_set_id, query_id, measure)

),

ideals as (

    select
        levels.judgment_set_id,
        levels.query_id,
        levels.measure,
        levels.filled_from_end,
        sum(levels.step * place_worths.worth_sum order by levels.gain)
            as divisor

    from levels

    inner join place_worths using (measure, place)

    group by
        levels.judgment_set_id,
        levels.query_id,
        levels.measure,
        levels.filled_from_end

),

filled_values as (

    select
        value_parts.run_id,
        value_parts.run,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        (value_parts.amount + fillings.added_from_end) / ideals.divisor as value

    from fillings

    inner join ideals
        using (judgment_set_id, query_id, measure, filled_from_end)

    inner join value_parts
        using (run_id, run, judgment_set_id, query_id, measure)

    where fillings.share_of = 'ideal'

    union all

    select
        value_parts.run_id,
        value_parts.run,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        (value_parts.amount + fillings.added_from_end)
        / (value_parts.divisor + fillings.filled_from_end) as value

    from fillings

    inner join value_parts
        using (run_id, run, judgment_set_id, query_id, measure)

    where fillings.share_of = 'relevant'

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
