-- One row is the lowest value that a judged query of an evaluation can have
-- under a measure that is a share of what is judged, if holes of the run are
-- filled with documents of the best grade, from the end of the ranking up:
-- any other grades, and any other holes, leave it higher.
with ideals as (

    select
        hole_fillings.run_id,
        hole_fillings.judgment_set_id,
        hole_fillings.query_id,
        hole_fillings.measure,
        hole_fillings.filled,
        hole_fillings.added,
        sum(
            gain_levels.step * place_worths.worth_sum
        ) as best

    from hole_fillings

    inner join gain_levels
        on
            hole_fillings.judgment_set_id = gain_levels.judgment_set_id
            and hole_fillings.query_id = gain_levels.query_id
            and hole_fillings.measure = gain_levels.measure

    inner join place_worths
        on
            hole_fillings.measure = place_worths.measure
            and least(
                gain_levels.judged + hole_fillings.filled,
                coalesce(
                    gain_levels.cutoff,
                    gain_levels.judged + hole_fillings.filled
                )
            )
            = place_worths.place

    where hole_fillings.family in ('nDCG', 'nCG')

    group by
        hole_fillings.run_id,
        hole_fillings.judgment_set_id,
        hole_fillings.query_id,
        hole_fillings.measure,
        hole_fillings.filled,
        hole_fillings.added

),

filled_values as (

    select
        value_parts.run_id,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        (value_parts.part + ideals.added) / ideals.best as value

    from ideals

    inner join value_parts
        on
            ideals.run_id = value_parts.run_id
            and ideals.judgment_set_id = value_parts.judgment_set_id
            and ideals.query_id = value_parts.query_id
            and ideals.measure = value_parts.measure

    union all

    select
        value_parts.run_id,
        value_parts.judgment_set_id,
        value_parts.query_id,
        value_parts.measure,
        (value_parts.part + hole_fillings.added)
        / (value_parts.best + hole_fillings.filled) as value

    from hole_fillings

    inner join value_parts
        on
            hole_fillings.run_id = value_parts.run_id
            and hole_fillings.judgment_set_id = value_parts.judgment_set_id
            and hole_fillings.query_id = value_parts.query_id
            and hole_fillings.measure = value_parts.measure

    where hole_fillings.family in ('AP', 'R')

)

select
    filled_values.run_id,
    filled_values.judgment_set_id,
    filled_values.query_id,
    filled_values.measure,
    min(filled_values.value) as floor

from filled_values

group by
    filled_values.run_id,
    filled_values.judgment_set_id,
    filled_values.query_id,
    filled_values.measure
