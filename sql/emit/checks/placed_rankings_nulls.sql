-- rankings: a run, query id or document id is null, or a position is null or
-- below 1; remove or repair these rows
select given_rankings.run, given_rankings.query_id, given_rankings.doc_id, given_rankings.position
from given_rankings
where
    given_rankings.run is null or given_rankings.query_id is null or given_rankings.doc_id is null
    or not coalesce(given_rankings.position >= 1, false)
