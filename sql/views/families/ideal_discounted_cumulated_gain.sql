-- IDCG@k: the DCG@k of the ideal ranking, the highest that any run can reach
-- (Järvelin & Kekäläinen 2002, ACM TOIS 20(4)).
select
    gain_sums.run_id,
    gain_sums.judgment_set_id,
    gain_sums.query_id,
    gain_sums.measure,
    gain_sums.retrieved,
    gain_sums.ideal_dcg as value,
    gain_sums.ideal_dcg <= 0 as nothing_relevant

from gain_sums

where gain_sums.family = 'IDCG'
