-- One row is the value of a registered measure for an evaluation as a whole, if
-- the measure fits the judgment set (see fitting_measures): it rests on all that
-- the run shows, and no query has a value. judged_at_k is as in
-- summarized_values. The table stored_run_values stores these rows.
select
    shown_spread.run_id,
    shown_spread.judgment_set_id,
    shown_spread.measure,
    shown_spread.value,
    shown_spread.n,
    0 as no_relevant,
    coalesce(run_judged_shares.share_sum, 0) / judgment_sets.query_count
        as judged_at_k,
    cast(null as double) as standard_error

from shown_spread

inner join fitting_measures using (judgment_set_id, measure)

inner join judgment_sets using (judgment_set_id)

inner join measures using (measure)

left join run_judged_shares
    on
        shown_spread.run_id = run_judged_shares.run_id
        and shown_spread.judgment_set_id
        = run_judged_shares.judgment_set_id
        and coalesce(measures.cutoff, 10) = run_judged_shares.depth

where shown_spread.attribute is null
