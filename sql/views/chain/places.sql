-- One row is a document that counts, in the list of a run (side 'run') or in an ideal list. found
-- counts those with a gain down to it, judged and pooled those with a grade (see lists); reach is
-- that of a cascade. A branch that no registered measure needs is left out of the statement that
-- stores values.
select
    'run' as side,
    run_id as list_id,
    judgment_set_id, query_id, basis, position, gain, found, judged, pooled,
    null as reach,
    null as subtopic
from ranked_gains
where gain_scheme <> 'satisfaction'
union all
select
    'ideal' as side,
    list_id, judgment_set_id, query_id, basis, position, gain,
    position as found,
    null as judged,
    null as pooled,
    null as reach,
    null as subtopic
from ideals
where gain_scheme <> 'satisfaction'
union all
select
    'run' as side,
    run_id as list_id,
    judgment_set_id, query_id, basis,
    position, gain,
    position as found,
    null as judged,
    null as pooled,
    null as reach,
    null as subtopic
from tied_gains
union all
select
    side, list_id, judgment_set_id, query_id, basis, position, gain, found,
    null as judged,
    null as pooled,
    reach,
    null as subtopic
from cascades
union all
select
    'run' as side,
    run_id as list_id,
    judgment_set_id, query_id, basis, position, gain, found,
    null as judged,
    null as pooled,
    null as reach,
    subtopic
from subtopic_gains
union all
select
    'ideal' as side,
    0 as list_id,
    judgment_set_id, query_id, basis, position, gain,
    1 as found,
    null as judged,
    null as pooled,
    null as reach,
    null as subtopic
from greedy_rankings
inner join subtopic_bases using (alpha, rel, known)
where gain_scheme = 'novel' and position > 0
union all
select
    'run' as side,
    run_id as list_id,
    judgment_set_id, query_id, basis, position, gain, position as found,
    null as judged,
    null as pooled,
    null as reach,
    null as subtopic
from shown_documents
inner join evaluated_queries using (run_id, query_id)
where gain is not null
union all
select distinct
    'ideal' as side,
    0 as list_id,
    0 as judgment_set_id,
    '' as query_id,
    basis, position,
    1 as gain,
    position as found,
    null as judged,
    null as pooled,
    null as reach,
    null as subtopic
from perfect_settings
inner join positions on position <= depth
