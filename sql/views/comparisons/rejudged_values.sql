-- One row is the value of a registered measure for a query of a run that was
-- evaluated with two judgment sets: the value under one set next to the value
-- under the other. A query that only one of the sets judges has no value under
-- the other.
with pairs as (

    select
        own.run_id,
        own.judgment_set_id,
        others.judgment_set_id as other_judgment_set_id

    from evaluations as own

    inner join evaluations as others using (run_id)

    where own.judgment_set_id <> others.judgment_set_id

),

both_sides as (

    select
        pairs.run_id,
        pairs.judgment_set_id,
        pairs.other_judgment_set_id,
        stored_values.measure,
        stored_values.query_id,
        stored_values.value,
        cast(null as double) as other_value

    from pairs

    inner join stored_values using (run_id, judgment_set_id)

    union all

    select
        pairs.run_id,
        pairs.judgment_set_id,
        pairs.other_judgment_set_id,
        stored_values.measure,
        stored_values.query_id,
        cast(null as double) as value,
        stored_values.value as other_value

    from pairs

    inner join stored_values
        on
            pairs.run_id = stored_values.run_id
            and pairs.other_judgment_set_id = stored_values.judgment_set_id

),

compared as (

    select
        both_sides.run_id,
        both_sides.judgment_set_id,
        both_sides.other_judgment_set_id,
        both_sides.measure,
        both_sides.query_id,
        max(both_sides.value) as value,
        max(both_sides.other_value) as other_value

    from both_sides

    group by
        both_sides.run_id,
        both_sides.judgment_set_id,
        both_sides.other_judgment_set_id,
        both_sides.measure,
        both_sides.query_id

)

select
    compared.run_id,
    compared.judgment_set_id,
    compared.other_judgment_set_id,
    compared.measure,
    compared.query_id,
    compared.other_value,
    compared.value,
    compared.value - compared.other_value as difference

from compared
