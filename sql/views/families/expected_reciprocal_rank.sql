-- ERR@k: the expected reciprocal rank of the document that satisfies a reader
-- who goes down the ranking and stops at that document (Chapelle et al. 2009,
-- CIKM).
select
    expected_reciprocal_ranks.run_id,
    expected_reciprocal_ranks.judgment_set_id,
    expected_reciprocal_ranks.query_id,
    expected_reciprocal_ranks.measure,
    expected_reciprocal_ranks.retrieved,
    expected_reciprocal_ranks.err as value,
    expected_reciprocal_ranks.ideal_err = 0 as nothing_relevant

from expected_reciprocal_ranks

where expected_reciprocal_ranks.family = 'ERR'
