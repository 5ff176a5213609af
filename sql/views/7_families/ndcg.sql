-- nDCG@k, normalized discounted cumulated gain: the DCG of a run's ranking as
-- a share of the ideal ranking's (Järvelin & Kekäläinen 2002, ACM TOIS 20(4)).
-- One row is a judged query of an evaluation under an nDCG measure.
select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    gain_sums.run_id,
    gain_sums.judgment_set_id,
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
    gain_sums.ideal_dcg <= 0 as no_relevant

from gain_sums

inner join gain_measures
    on gain_sums.measure = gain_measures.measure

inner join runs
    on gain_sums.run_id = runs.run_id

inner join judgment_sets
    on gain_sums.judgment_set_id = judgment_sets.judgment_set_id

where gain_sums.family = 'nDCG'
