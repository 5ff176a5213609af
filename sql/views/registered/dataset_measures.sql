-- One row is a registered measure and a judgment set that it is meant for: one of any dataset,
-- unless the measure is registered for some datasets only.
select judgment_set_id, measure, family
from judgment_sets
cross join measures
left join measure_datasets using (measure, dataset)
where
    measure_datasets.measure is not null
    or measure not in (select measure from measure_datasets)
