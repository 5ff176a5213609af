-- A run.
select distinct
    run_id,
    run_id as name,
    'emitted' as dataset,
    'score' as position_rule
from rankings
