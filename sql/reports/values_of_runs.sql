-- One row is a run with its values of a measure, for all queries or for a slice
-- of them. The values are in the order of the queries; NaN stands for a query
-- without a value, also for one that only another of these runs has a loaded value of.
with valued as (
    select run_id, judgment_set_id, measure, query_id, value
    from query_values
    where
        list_contains($run_ids, run_id)
        and judgment_set_id = $judgment_set_id
        and list_contains($measures, measure)
),

loaded as (
    select distinct judgment_set_id, measure, query_id
    from valued
    semi join loaded_values using (measure)
),

every as (
    from valued
    union all by name
    select
        run_id, loaded.*,
        cast(null as double) as value
    from loaded
    cross join (select unnest($run_ids) as run_id) as runs
    anti join valued using (run_id, measure, query_id)
)

select
    run_id, measure, attribute, slice,
    list(coalesce(value, cast('nan' as double)) order by query_id) as query_values
from every
inner join query_groups using (judgment_set_id, query_id)
where (attribute is not null) = $sliced
group by all
