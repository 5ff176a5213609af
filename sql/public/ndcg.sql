-- One row is a judged query of a run under an nDCG measure: the DCG of the
-- run's ranking, the DCG of the ideal ranking, and nDCG, which is the first
-- divided by the second. If the ideal DCG is not above 0, ndcg is 0 and
-- nothing_relevant is true. The options missing and no_rel of the measure are
-- not applied here; query_values applies them. Filter by run, measure or
-- query_id: the sums are computed for each answer.
select
    runs.dataset,
    gain_sums.run,
    judgment_sets.name as judgment_set,
    gain_sums.query_id,
    gain_sums.measure,
    gain_measures.cutoff,
    gain_measures.gain_scheme,
    gain_sums.retrieved,
    gain_sums.dcg,
    gain_sums.ideal_dcg,
    case
        when gain_sums.ideal_dcg > 0 then gain_sums.dcg / gain_sums.ideal_dcg
        else 0
    end as ndcg,
    gain_sums.ideal_dcg <= 0 as nothing_relevant,
    gain_sums.run_id,
    gain_sums.judgment_set_id

from store.gain_sums

inner join store.gain_measures using (measure)

inner join store.runs
    on
        gain_sums.run_id = runs.run_id
        and gain_sums.run = runs.name

inner join store.judgment_sets using (judgment_set_id)

inner join store.fitting_measures using (judgment_set_id, measure)

where gain_sums.family = 'nDCG'
