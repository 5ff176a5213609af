-- One row is a run with its values of a measure, for all queries or for a slice
-- of them. The values are in the order of the queries; NaN stands for a query
-- without a value, also for one that only another of these runs has a loaded value of.
with valued as (
    select
        query_values.run_id, query_values.judgment_set_id, query_values.measure,
        query_values.query_id, query_values.value
    from query_values
    where
        list_contains($run_ids, query_values.run_id)
        and query_values.judgment_set_id = $judgment_set_id
        and list_contains($measures, query_values.measure)
),

loaded as (
    select distinct valued.judgment_set_id, valued.measure, valued.query_id
    from valued
    semi join loaded_values using (measure)
),

missing as (
    select
        runs.run_id, loaded.judgment_set_id, loaded.measure, loaded.query_id,
        cast(null as double) as value
    from loaded
    cross join (select unnest($run_ids) as run_id) as runs
    anti join valued using (run_id, measure, query_id)
),

every as (
    from valued
    union all
    from missing
)

select
    every.run_id, every.measure, query_groups.attribute, query_groups.slice,
    list(coalesce(every.value, cast('nan' as double)) order by every.query_id) as query_values
from every
inner join query_groups using (judgment_set_id, query_id)
where (query_groups.attribute is not null) = $sliced
group by all
