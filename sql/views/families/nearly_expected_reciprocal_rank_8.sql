-- NERR8@k, nearly ERR: the gain per document looked at of a reader who goes on
-- until a document satisfies, but not beyond position k (Azzopardi, Mackenzie &
-- Moffat 2021, ICTIR, equation 8).
select
    nearly_expected_reciprocal_ranks.run_id,
    nearly_expected_reciprocal_ranks.judgment_set_id,
    nearly_expected_reciprocal_ranks.query_id,
    nearly_expected_reciprocal_ranks.measure,
    nearly_expected_reciprocal_ranks.retrieved,
    nearly_expected_reciprocal_ranks.value,
    nearly_expected_reciprocal_ranks.nothing_relevant

from nearly_expected_reciprocal_ranks

where nearly_expected_reciprocal_ranks.family = 'NERR8'
