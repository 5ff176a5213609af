-- One row is the value of a registered measure for an evaluation as a whole, if
-- the measure fits the judgment set (see fitting_measures): it rests on all that
-- the run shows, and no query has a value. The table stored_run_values stores
-- these rows.
select
    run_family_values.run_id,
    run_family_values.judgment_set_id,
    run_family_values.measure,
    run_family_values.value,
    run_family_values.n,
    0 as no_relevant,
    coalesce(run_judged_shares.judged_at_k, 0) as judged_at_k,
    cast(null as double) as standard_error

from run_family_values

inner join fitting_measures using (judgment_set_id, measure)

left join run_judged_shares using (run_id, judgment_set_id, measure)

where run_family_values.attribute is null
