-- One row is a hole of an evaluation (see holes) under a registered measure:
-- the value that its query would have if the document had the best grade
-- of the judgment set, all else as it is, and how far that is from the value
-- it has. Measures for which that cannot be told are left out (see
-- best_gains).
with filled_values as (

    select
        hole_places.run_id,
        hole_places.judgment_set_id,
        hole_places.query_id,
        hole_places.doc_id,
        hole_places.position,
        hole_places.measure,
        value_parts.value,
        case
            when value_parts.gain <= 0 then value_parts.value
            when value_parts.family in ('RR', 'Success')
                then greatest(value_parts.value, hole_places.added)
            else
                (value_parts.part + hole_places.added)
                / value_parts.best_if_one_more
        end as value_if_best

    from hole_places

    inner join value_parts
        on
            hole_places.run_id = value_parts.run_id
            and hole_places.judgment_set_id = value_parts.judgment_set_id
            and hole_places.query_id = value_parts.query_id
            and hole_places.measure = value_parts.measure

)

select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    filled_values.run_id,
    filled_values.judgment_set_id,
    filled_values.query_id,
    filled_values.doc_id,
    filled_values.position,
    filled_values.measure,
    filled_values.value,
    filled_values.value_if_best,
    filled_values.value_if_best - filled_values.value as difference

from filled_values

inner join runs
    on filled_values.run_id = runs.run_id

inner join judgment_sets
    on filled_values.judgment_set_id = judgment_sets.judgment_set_id
