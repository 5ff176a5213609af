-- One row is a hit that its query does not know, at its position once known documents are taken out
-- (known = 'omit'), if some measure does so.
select
    hits.* replace (new_rankings.position as position),
    'omit' as known
from hits
inner join new_rankings using (run_id, query_id, doc_id)
