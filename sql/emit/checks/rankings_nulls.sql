-- rankings: a run, query id or document id is null, or a score is null or not a
-- number; remove or repair these rows
select given_rankings.run, given_rankings.query_id, given_rankings.doc_id, given_rankings.score
from given_rankings
where
    given_rankings.run is null or given_rankings.query_id is null or given_rankings.doc_id is null
    or not coalesce(cast(given_rankings.score as double) <= cast('Infinity' as double), false)
