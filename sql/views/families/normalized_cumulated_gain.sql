-- nCG@k, normalized cumulated gain: the CG@k of the run divided by that of the
-- ideal ranking (Järvelin & Kekäläinen 2002, ACM TOIS 20(4)).
select
    gain_sums.run_id,
    gain_sums.judgment_set_id,
    gain_sums.query_id,
    gain_sums.measure,
    gain_sums.retrieved,
    case
        when gain_sums.ideal_cg > 0 then gain_sums.cg / gain_sums.ideal_cg
        else 0
    end as value,
    gain_sums.ideal_dcg <= 0 as nothing_relevant

from gain_sums

where gain_sums.family = 'nCG'
