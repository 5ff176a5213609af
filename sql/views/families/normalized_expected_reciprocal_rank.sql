-- nERR@k, normalized ERR: the ERR@k of the run divided by that of the ideal
-- ranking (Chapelle et al. 2009, CIKM).
select
    expected_reciprocal_ranks.run_id,
    expected_reciprocal_ranks.judgment_set_id,
    expected_reciprocal_ranks.query_id,
    expected_reciprocal_ranks.measure,
    expected_reciprocal_ranks.retrieved,
    case
        when expected_reciprocal_ranks.ideal_err > 0
            then
                expected_reciprocal_ranks.err
                / expected_reciprocal_ranks.ideal_err
        else 0
    end as value,
    expected_reciprocal_ranks.ideal_err = 0 as nothing_relevant

from expected_reciprocal_ranks

where expected_reciprocal_ranks.family = 'nERR'
