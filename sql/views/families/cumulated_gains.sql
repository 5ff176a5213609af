-- The measures of cumulated gain (Järvelin & Kekäläinen 2002, ACM TOIS 20(4)).
-- CG@k is the sum of the gains of the first k documents, and DCG@k the sum of gain
-- / discount; IDCG@k is the DCG@k of the ideal ranking, the highest that any run can
-- reach. nCG@k and nDCG@k are the CG@k and the DCG@k of the run divided by those of
-- the ideal ranking.
select
    gain_sums.run_id,
    gain_sums.judgment_set_id,
    gain_sums.query_id,
    gain_sums.measure,
    gain_sums.retrieved,
    case gain_sums.family
        when 'CG' then gain_sums.cg
        when 'DCG' then gain_sums.dcg
        when 'IDCG' then gain_sums.ideal_dcg
        when 'nCG' then gain_sums.cg / nullif(gain_sums.ideal_cg, 0)
        else gain_sums.dcg / nullif(gain_sums.ideal_dcg, 0)
    end as value,
    gain_sums.ideal_dcg <= 0 as nothing_relevant

from gain_sums

where gain_sums.family in ('CG', 'DCG', 'IDCG', 'nCG', 'nDCG')
