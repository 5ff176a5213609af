-- One row is a judged query of an evaluation and a measure, with the counts and sums that the
-- formulas of values name (see the column value of measures.csv). shown is the number of documents
-- down to the cutoff.
select
    listed_queries.*,
    settings.* exclude (known, judged_only),
    coalesce(relevant, 0) as relevant,
    best_gain, run_sums.total, run_sums.best, run_sums.found,
    if(settings.ideal is null, null, coalesce(ideal_totals.total, 0)) as ideal_total,
    least(coalesce(cutoff, listed), listed) as shown
from listed_queries
inner join settings using (known, judged_only)
left join relevant_counts using (judgment_set_id, query_id, basis)
left join sums as run_sums
    on
        run_sums.side = 'run'
        and run_sums.measure = settings.measure
        and run_sums.list_id = listed_queries.run_id
        and run_sums.judgment_set_id = listed_queries.judgment_set_id
        and run_sums.query_id = listed_queries.query_id
left join sums as ideal_totals
    on
        ideal_totals.side = 'ideal'
        and ideal_totals.measure = settings.measure
        and ideal_totals.list_id = if(has_own_ideal, listed_queries.run_id, 0)
        and ideal_totals.judgment_set_id
        = if(ideal = 'perfect', 0, listed_queries.judgment_set_id)
        and ideal_totals.query_id = if(ideal = 'perfect', '', listed_queries.query_id)
where summary <> 'none'
