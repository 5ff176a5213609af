-- One row is a system and a measure, with the share of judged documents among the
-- first: the mean over replicates. In a divided system, each replicate has the
-- shares of its own queries, and 0 for all others.
with divided as (

    select
        replicate_answers.system_id,
        bool_and(replicate_answers.is_divided) as is_divided

    from replicate_answers

    group by replicate_answers.system_id

)

select
    system_runs.system_id as run_id,
    stored_run_values.judgment_set_id,
    stored_run_values.measure,
    case
        when bool_and(divided.is_divided)
            then sum(stored_run_values.judged_at_k order by system_runs.run_id)
        else avg(stored_run_values.judged_at_k order by system_runs.run_id)
    end as judged_at_k

from stored_run_values

inner join system_runs using (run_id)

inner join divided using (system_id)

where
    stored_run_values.judgment_set_id = $judgment_set_id
    and list_contains($measures, stored_run_values.measure)

group by
    system_runs.system_id,
    stored_run_values.judgment_set_id,
    stored_run_values.measure
