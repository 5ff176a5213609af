-- One row is the value of a measure for a judged query of a run, with the
-- lowest and the highest value that is possible, and two values that ignore
-- unjudged documents: that of the ranking without them, and Bpref.
with beside as (

    select
        unnest($measures) as measure,
        unnest($condensed) as condensed,
        unnest($bprefs) as bpref

)

select
    query_values.run,
    query_values.judgment_set,
    query_values.dataset,
    query_values.measure,
    query_values.query_id,
    query_values.value,
    value_bounds.floor,
    value_bounds.ceiling,
    condensed_values.value as condensed,
    bpref_values.value as bpref,
    query_values.nothing_relevant

from query_values

inner join beside using (measure)

left join value_bounds using (run_id, judgment_set_id, query_id, measure)

left join stored_values as condensed_values
    on
        query_values.run_id = condensed_values.run_id
        and query_values.judgment_set_id = condensed_values.judgment_set_id
        and query_values.query_id = condensed_values.query_id
        and beside.condensed = condensed_values.measure

left join stored_values as bpref_values
    on
        query_values.run_id = bpref_values.run_id
        and query_values.judgment_set_id = bpref_values.judgment_set_id
        and query_values.query_id = bpref_values.query_id
        and beside.bpref = bpref_values.measure

where
    list_contains($run_ids, query_values.run_id)
    and list_contains($judgment_set_ids, query_values.judgment_set_id)

order by
    query_values.dataset,
    query_values.run_id,
    query_values.query_id,
    list_position($measures, query_values.measure)
