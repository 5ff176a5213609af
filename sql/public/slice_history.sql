-- One row is the value of a registered measure for a slice of a run's queries at
-- the time of the run, with the previous run of the same series, its value for
-- the same slice and the difference. If tag is null, the series consists of all
-- runs of the dataset; otherwise it consists of the runs with this value of the
-- tag. A run with tags therefore has several rows: filter by one tag, or by tag
-- is null, and by measure and attribute: the values of all queries that are left
-- are added up for each answer.
select
    group_values.dataset,
    group_values.judgment_set,
    group_values.attribute,
    group_values.slice as attribute_value,
    group_values.measure,
    run_series.tag,
    run_series.tag_value,
    run_series.made_at,
    group_values.run,
    group_values.value,
    lag(group_values.run) over series_in_time as previous_run,
    lag(group_values.value) over series_in_time as previous_value,
    group_values.value
    - lag(group_values.value) over series_in_time as difference,
    group_values.weighted_value,
    group_values.n,
    group_values.weighted_n,
    group_values.judged_at_k,
    group_values.run_id,
    group_values.judgment_set_id

from store.group_values

inner join store.run_series using (dataset, run_id, run)

where group_values.attribute is not null

window series_in_time as (
    partition by
        group_values.dataset,
        group_values.judgment_set,
        group_values.judgment_set_id,
        group_values.attribute,
        group_values.slice,
        group_values.measure,
        run_series.tag,
        run_series.tag_value
    order by
        run_series.made_at,
        group_values.run_id
)
