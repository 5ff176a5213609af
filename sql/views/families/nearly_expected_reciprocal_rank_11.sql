-- NERR11, nearly ERR: as NERR8 to position 1000, but of the readers whom no
-- document satisfied, the same share goes on as in INSQ with the same T
-- (Azzopardi, Mackenzie & Moffat 2021, ICTIR, equation 11).
select
    nearly_expected_reciprocal_ranks.run_id,
    nearly_expected_reciprocal_ranks.judgment_set_id,
    nearly_expected_reciprocal_ranks.query_id,
    nearly_expected_reciprocal_ranks.measure,
    nearly_expected_reciprocal_ranks.retrieved,
    nearly_expected_reciprocal_ranks.value,
    nearly_expected_reciprocal_ranks.nothing_relevant

from nearly_expected_reciprocal_ranks

where nearly_expected_reciprocal_ranks.family = 'NERR11'
