-- One row is the share of judged documents among the first that a system returned
-- for the queries of a slice: the mean over replicates. In a divided system, each
-- replicate has the shares of its own queries, and 0 for all others.
with divided as (

    select
        replicate_answers.system_id,
        replicate_answers.system,
        bool_and(replicate_answers.is_divided) as is_divided

    from replicate_answers

    group by
        replicate_answers.system_id,
        replicate_answers.system

)

select
    divided.system_id as run_id,
    divided.system as run,
    slice_judged_shares.judgment_set_id,
    slice_judged_shares.attribute,
    slice_judged_shares.slice,
    slice_judged_shares.depth,
    case
        when bool_and(divided.is_divided)
            then
                sum(
                    slice_judged_shares.judged_at_k
                    order by slice_judged_shares.run_id
                )
        else
            avg(
                slice_judged_shares.judged_at_k
                order by slice_judged_shares.run_id
            )
    end as judged_at_k

from slice_judged_shares

inner join system_runs using (run_id)

inner join divided using (system_id)

where slice_judged_shares.judgment_set_id = $judgment_set_id

group by
    divided.system_id,
    divided.system,
    slice_judged_shares.judgment_set_id,
    slice_judged_shares.attribute,
    slice_judged_shares.slice,
    slice_judged_shares.depth
