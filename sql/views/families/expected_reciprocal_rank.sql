-- ERR@k: the expected reciprocal rank of the document that satisfies a reader
-- who goes down the ranking and stops at that document; nERR@k, normalized ERR,
-- divides it by the ERR@k of the ideal ranking (Chapelle et al. 2009, CIKM).
select
    expected_reciprocal_ranks.run_id,
    expected_reciprocal_ranks.judgment_set_id,
    expected_reciprocal_ranks.query_id,
    expected_reciprocal_ranks.measure,
    expected_reciprocal_ranks.retrieved,
    case
        when expected_reciprocal_ranks.family = 'ERR'
            then expected_reciprocal_ranks.err
        when expected_reciprocal_ranks.ideal_err > 0
            then
                expected_reciprocal_ranks.err
                / expected_reciprocal_ranks.ideal_err
        else 0
    end as value,
    expected_reciprocal_ranks.ideal_err = 0 as nothing_relevant

from expected_reciprocal_ranks
