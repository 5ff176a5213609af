-- The staged values of a run. Those of measures of our own belong to a judgment set.
insert into loaded_values by name
select
    $run_id as run_id,
    query_id, measure, value,
    if(list_contains($ours, measure), $set_id, null) as judgment_set_id
from staged
where run = $run
