-- One row is pairs of a run and a judgment set, and the registered measures of these that are meant
-- for them and have no value of any of them.
with lacking as (
    select
        measure,
        list((run_id, judgment_set_id) order by run_id, judgment_set_id) as pairs
    from evaluations
    inner join dataset_measures using (judgment_set_id)
    anti join stored_run_values using (run_id, judgment_set_id, measure)
    where list_contains($names, measure)
    group by measure
)

select
    pairs,
    list(measure order by measure) as measures
from lacking
group by pairs
order by measures
