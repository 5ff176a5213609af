-- The evaluations that a registered measure is meant for and that have no value
-- of it.
select
    evaluations.run_id,
    evaluations.judgment_set_id

from evaluations

inner join dataset_measures using (judgment_set_id)

left join stored_run_values
    on
        evaluations.run_id = stored_run_values.run_id
        and evaluations.judgment_set_id = stored_run_values.judgment_set_id
        and stored_run_values.measure = $measure

where
    dataset_measures.measure = $measure
    and stored_run_values.run_id is null

order by
    evaluations.run_id,
    evaluations.judgment_set_id
