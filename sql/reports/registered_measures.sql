-- One row is a registered measure, with the number of evaluations that have a
-- value of it. If it is registered for some datasets only, it has a row for each
-- of them; otherwise, the dataset is null.
with valued as (
    select measure, dataset
    from stored_run_values
    inner join judgment_sets using (judgment_set_id)
)

select
    measures.measure, measures.family, measure_datasets.dataset,
    count(valued.measure) as evaluations
from measures
left join measure_datasets using (measure)
left join valued
    on
        measures.measure = valued.measure
        and coalesce(measure_datasets.dataset, valued.dataset) = valued.dataset
group by measures.rowid, measures.measure, measures.family, measure_datasets.dataset
order by measures.rowid, measure_datasets.dataset
