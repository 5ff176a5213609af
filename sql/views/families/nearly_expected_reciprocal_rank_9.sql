-- NERR9@k, nearly ERR: as NERR8@k, but of the readers whom no document down to
-- position i satisfied, the share i / (i + 1) goes on (Azzopardi, Mackenzie &
-- Moffat 2021, ICTIR, equation 9).
select
    nearly_expected_reciprocal_ranks.run_id,
    nearly_expected_reciprocal_ranks.judgment_set_id,
    nearly_expected_reciprocal_ranks.query_id,
    nearly_expected_reciprocal_ranks.measure,
    nearly_expected_reciprocal_ranks.retrieved,
    nearly_expected_reciprocal_ranks.value,
    nearly_expected_reciprocal_ranks.nothing_relevant

from nearly_expected_reciprocal_ranks

where nearly_expected_reciprocal_ranks.family = 'NERR9'
