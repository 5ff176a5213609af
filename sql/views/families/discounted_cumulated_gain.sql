-- DCG@k, discounted cumulated gain: the sum of gain / discount over the first k
-- documents (Järvelin & Kekäläinen 2002, ACM TOIS 20(4)).
select
    gain_sums.run_id,
    gain_sums.judgment_set_id,
    gain_sums.query_id,
    gain_sums.measure,
    gain_sums.retrieved,
    gain_sums.dcg as value,
    gain_sums.ideal_dcg <= 0 as nothing_relevant

from gain_sums

where gain_sums.family = 'DCG'
