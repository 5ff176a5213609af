-- One row is a value of a run as a whole; there are none here.
select
    runs.run_id,
    runs.name as run,
    cast(1 as bigint) as judgment_set_id,
    '' as attribute,
    '' as slice,
    '' as measure,
    cast(null as double) as value,
    cast(0 as bigint) as n
from runs
where false
