-- One row is an unjudged document of an evaluation (see unjudged_documents)
-- under a registered measure: the value that its query would have if the
-- document had the best grade of the judgment set and nothing else changed, and
-- the difference from the present value. Measures for which this cannot be
-- computed are omitted (see best_gains).
with filled_values as (

    select
        unjudged_places.run_id,
        unjudged_places.run,
        unjudged_places.judgment_set_id,
        unjudged_places.query_id,
        unjudged_places.doc_id,
        unjudged_places.position,
        unjudged_places.measure,
        value_parts.value,
        case
            when value_parts.gain <= 0 then value_parts.value
            when value_parts.share_of = 'first'
                then greatest(value_parts.value, unjudged_places.added)
            else
                (value_parts.amount + unjudged_places.added)
                / value_parts.divisor_if_one_more
        end as value_if_best

    from unjudged_places

    inner join value_parts
        using (run_id, run, judgment_set_id, query_id, measure)

)

select
    runs.dataset,
    filled_values.run,
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
    on
        filled_values.run_id = runs.run_id
        and filled_values.run = runs.name

inner join judgment_sets using (judgment_set_id)
