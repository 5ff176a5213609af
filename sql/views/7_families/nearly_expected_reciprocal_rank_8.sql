-- NERR8@k, nearly ERR: the gain for each document looked at of a reader who
-- goes on, to position k at most, until a document satisfies (Azzopardi,
-- Mackenzie & Moffat 2021, ICTIR, equation 8).
select
    nearly_expected_reciprocal_ranks.run_id,
    nearly_expected_reciprocal_ranks.judgment_set_id,
    nearly_expected_reciprocal_ranks.query_id,
    nearly_expected_reciprocal_ranks.measure,
    nearly_expected_reciprocal_ranks.retrieved,
    nearly_expected_reciprocal_ranks.value,
    nearly_expected_reciprocal_ranks.no_relevant

from nearly_expected_reciprocal_ranks

where nearly_expected_reciprocal_ranks.family = 'NERR8'
