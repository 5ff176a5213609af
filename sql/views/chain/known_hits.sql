-- known_hits: a hit, at its position in the ranking that the run returned (known = 'keep'), or in
-- what is left of it without documents that the query knows ('omit').
select
    *,
    'keep' as known
from hits
union all
select
    hits.* replace (new_rankings.position as position),
    'omit' as known
from hits
inner join new_rankings using (run_id, query_id, doc_id)
