-- One row is the mean of a measure for a run, with the lowest and the highest
-- mean that is possible, and two means that ignore unjudged documents: that of
-- the rankings without them, and that of Bpref.
with beside as (

    select
        unnest($measures) as measure,
        unnest($condensed) as condensed,
        unnest($bprefs) as bpref

),

bounds as (

    select
        value_bounds.run_id,
        value_bounds.judgment_set_id,
        value_bounds.measure,
        avg(value_bounds.floor order by value_bounds.query_id) as floor,
        avg(value_bounds.ceiling order by value_bounds.query_id) as ceiling

    from value_bounds

    group by
        value_bounds.run_id,
        value_bounds.judgment_set_id,
        value_bounds.measure

)

select
    run_values.run,
    run_values.judgment_set,
    run_values.dataset,
    run_values.measure,
    run_values.value,
    bounds.floor,
    bounds.ceiling,
    condensed_values.value as condensed,
    bpref_values.value as bpref,
    run_values.n,
    run_values.answered,
    run_values.unanswered,
    run_values.no_relevant,
    run_values.judged_at_k

from run_values

inner join beside using (measure)

left join bounds using (run_id, judgment_set_id, measure)

left join stored_run_values as condensed_values
    on
        run_values.run_id = condensed_values.run_id
        and run_values.judgment_set_id = condensed_values.judgment_set_id
        and beside.condensed = condensed_values.measure

left join stored_run_values as bpref_values
    on
        run_values.run_id = bpref_values.run_id
        and run_values.judgment_set_id = bpref_values.judgment_set_id
        and beside.bpref = bpref_values.measure

where
    list_contains($run_ids, run_values.run_id)
    and list_contains($judgment_set_ids, run_values.judgment_set_id)

order by
    run_values.dataset,
    run_values.run_id,
    list_position($measures, run_values.measure)
