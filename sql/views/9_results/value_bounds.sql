-- One row is the value of a registered measure for a judged query of an
-- evaluation, with the lowest and the highest that it could have if somebody
-- judged the documents that the run returned and nobody judged yet. It is
-- assumed that each would get a grade from 0 to the largest of the judgment
-- set; the ideal ranking, or the number of relevant documents, changes with
-- them. What the run did not return stays as it is judged. Measures for which
-- the bounds cannot be told are left out (see best_gains).
with filled_values as (

    select
        hole_sums.run_id,
        hole_sums.judgment_set_id,
        hole_sums.query_id,
        hole_sums.measure,
        case
            when hole_sums.family in ('nDCG', 'nCG')
                then (value_parts.part + hole_sums.added) / filled_ideals.best
            when hole_sums.family in ('AP', 'R')
                then
                    (value_parts.part + hole_sums.added)
                    / (value_parts.best + hole_sums.filled)
            -- The first one counts, and no other.
            when hole_sums.family in ('RR', 'Success')
                then
                    case
                        when hole_sums.from_top and hole_sums.filled = 1
                            then hole_sums.added
                    end
            else value_parts.part + hole_sums.added
        end as value

    from hole_sums

    inner join value_parts
        on
            hole_sums.run_id = value_parts.run_id
            and hole_sums.judgment_set_id = value_parts.judgment_set_id
            and hole_sums.query_id = value_parts.query_id
            and hole_sums.measure = value_parts.measure

    left join filled_ideals
        on
            hole_sums.run_id = filled_ideals.run_id
            and hole_sums.judgment_set_id = filled_ideals.judgment_set_id
            and hole_sums.query_id = filled_ideals.query_id
            and hole_sums.measure = filled_ideals.measure
            and hole_sums.filled = filled_ideals.filled

),

extremes as (

    select
        filled_values.run_id,
        filled_values.judgment_set_id,
        filled_values.query_id,
        filled_values.measure,
        min(filled_values.value) as lowest,
        max(filled_values.value) as highest

    from filled_values

    group by
        filled_values.run_id,
        filled_values.judgment_set_id,
        filled_values.query_id,
        filled_values.measure

)

select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    value_parts.run_id,
    value_parts.judgment_set_id,
    value_parts.query_id,
    value_parts.measure,
    value_parts.value,
    case
        when value_parts.family in ('RR', 'Success') then value_parts.value
        else
            least(
                value_parts.value,
                coalesce(extremes.lowest, value_parts.value)
            )
    end as floor,
    greatest(
        value_parts.value,
        coalesce(extremes.highest, value_parts.value),
        coalesce(value_ceilings.ceiling, value_parts.value)
    ) as ceiling

from value_parts

inner join runs
    on value_parts.run_id = runs.run_id

inner join judgment_sets
    on value_parts.judgment_set_id = judgment_sets.judgment_set_id

left join extremes
    on
        value_parts.run_id = extremes.run_id
        and value_parts.judgment_set_id = extremes.judgment_set_id
        and value_parts.query_id = extremes.query_id
        and value_parts.measure = extremes.measure

left join value_ceilings
    on
        value_parts.run_id = value_ceilings.run_id
        and value_parts.judgment_set_id = value_ceilings.judgment_set_id
        and value_parts.query_id = value_ceilings.query_id
        and value_parts.measure = value_ceilings.measure
