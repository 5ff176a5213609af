-- The one row counts the queries for which the last run is better or worse than
-- the first.
select
    count(*) as queries,
    avg(candidate.value - baseline.value) as difference,
    count(*) filter (where candidate.value > baseline.value) as wins,
    count(*) filter (where candidate.value < baseline.value) as losses

from query_values as candidate

inner join query_values as baseline
    on
        candidate.judgment_set_id = baseline.judgment_set_id
        and candidate.measure = baseline.measure
        and candidate.query_id = baseline.query_id

where
    candidate.measure = 'nDCG@10'
    and candidate.run = $candidate
    and baseline.run = $baseline
