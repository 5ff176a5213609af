-- One row is a registered measure and a judgment set that it is evaluated with:
-- it is meant for the set, and it can use every grade of the set.
with unfit as (

    select distinct
        unfit_measures.judgment_set_id,
        unfit_measures.measure

    from unfit_measures

)

select
    dataset_measures.judgment_set_id,
    dataset_measures.measure,
    dataset_measures.family

from dataset_measures

left join unfit using (judgment_set_id, measure)

where unfit.measure is null
