-- One row is a document that may satisfy ERR's reader, in a run's list or in an ideal one.
select
    'run' as side,
    run_id as list_id,
    judgment_set_id, query_id, basis, position, gain, found
from ranked_gains
where gain_scheme = 'satisfaction'
union all
select
    'ideal' as side,
    list_id, judgment_set_id, query_id, basis, position, gain,
    position as found
from ideals
where gain_scheme = 'satisfaction'
