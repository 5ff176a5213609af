-- How many values of measures a run has, and how many of them are among the staged ones.
select
    count(*) as stored,
    count(staged.value) as equal
from loaded_values
left join staged
    on
        staged.run = $run
        and staged.query_id = loaded_values.query_id
        and staged.measure = loaded_values.measure
        and staged.value = loaded_values.value
where loaded_values.run_id = $run_id and list_contains($measures, loaded_values.measure)
