-- gain_places: a document that counts for measures of gains, relevance or judgments, in the list of
-- a run (side 'run') or in an ideal list. found counts those with a gain down to it, judged and
-- pooled those with a grade (see lists). Positions of tied documents have no document of their own.
select
    'run' as side,
    run_id as list_id,
    judgment_set_id, query_id, basis, doc_id, position, gain, found, judged, pooled
from ranked_gains
where gain_scheme <> 'satisfaction'
union all
select
    'ideal' as side,
    list_id, judgment_set_id, query_id, basis, doc_id, position, gain,
    position as found,
    null as judged,
    null as pooled
from ideals
where gain_scheme <> 'satisfaction'
union all
select
    'run' as side,
    run_id as list_id,
    judgment_set_id, query_id, basis,
    null as doc_id,
    position, gain,
    position as found,
    null as judged,
    null as pooled
from tied_gains
