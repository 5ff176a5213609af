-- One row is a weighted mean; no weights are known here.
select
    runs.run_id,
    cast(1 as bigint) as judgment_set_id,
    '' as measure,
    cast(null as double) as weighted_value,
    cast(0 as bigint) as weighted_n
from runs
where false
