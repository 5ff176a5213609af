-- One row is a judged query of a run under an nDCG measure: the DCG of the
-- run's ranking, the DCG of the ideal ranking, and nDCG, which is the first
-- divided by the second. If the ideal DCG is not above 0, ndcg is 0 and
-- nothing_relevant is true. The options missing and no_rel of the measure are
-- not applied here; query_values applies them.
with sums as (
    select
        stored_values.run_id, judgment_set_id, query_id, measure, cutoff,
        coalesce(gains, if(dcg_kind like 'exp%', 'exp', 'linear')) as gain_scheme,
        coalesce(stored_values.total, 0) as dcg,
        coalesce(ideal_total, ideal_sums.total, 0) as ideal_dcg
    from store.stored_values
    inner join store.measures using (measure)
    left join store.ideal_sums using (judgment_set_id, measure, query_id)
    where family = 'nDCG'
)

select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    query_id, measure, cutoff, gain_scheme,
    coalesce(retrieved, 0) as retrieved,
    dcg, ideal_dcg,
    if(ideal_dcg > 0, dcg / ideal_dcg, 0) as ndcg,
    ideal_dcg <= 0 as nothing_relevant,
    run_id, judgment_set_id
from sums
inner join store.runs using (run_id)
inner join store.judgment_sets using (judgment_set_id)
left join store.run_queries using (run_id, query_id)
