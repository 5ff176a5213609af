-- One row is the value of a registered measure for a run at the time of the
-- run, with the previous run of the same series, its value and the difference.
-- If tag is null, the series consists of all runs of the dataset; otherwise it
-- consists of the runs with this value of the tag. A run with tags therefore
-- has several rows: filter by one tag, or by tag is null.
select
    run_series.dataset,
    judgment_sets.name as judgment_set,
    stored_run_values.measure, run_series.tag, run_series.tag_value, run_series.made_at,
    run_series.run, stored_run_values.value,
    lag(run_series.run) over series_in_time as previous_run,
    lag(stored_run_values.value) over series_in_time as previous_value,
    stored_run_values.value
    - lag(stored_run_values.value) over series_in_time as difference,
    stored_run_values.n, stored_run_values.judged_at_k, stored_run_values.run_id,
    stored_run_values.judgment_set_id
from store.stored_run_values
inner join store.run_series using (run_id)
inner join store.judgment_sets using (judgment_set_id)
window series_in_time as (
    partition by
        stored_run_values.judgment_set_id, stored_run_values.measure, run_series.tag,
        run_series.tag_value
    order by run_series.made_at, stored_run_values.run_id
)
