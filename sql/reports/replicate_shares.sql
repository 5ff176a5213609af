-- One row is a system and a measure, with the share of judged documents among the
-- first, for all queries or a slice of them: the mean over replicates. In a divided
-- system, each replicate has the shares of its own queries, and 0 for all others.
with divided as (
    select
        replicate_answers.system_id,
        bool_and(replicate_answers.is_divided) as is_divided
    from replicate_answers
    group by replicate_answers.system_id
)

select
    system_runs.system_id as run_id,
    part_judged_shares.judgment_set_id, part_judged_shares.measure, part_judged_shares.attribute,
    part_judged_shares.slice,
    case
        when bool_and(divided.is_divided)
            then sum(part_judged_shares.judged_at_k order by system_runs.run_id)
        else avg(part_judged_shares.judged_at_k order by system_runs.run_id)
    end as judged_at_k
from part_judged_shares
inner join system_runs using (run_id)
inner join divided using (system_id)
where
    part_judged_shares.judgment_set_id = $judgment_set_id
    and list_contains($measures, part_judged_shares.measure)
group by
    system_runs.system_id, part_judged_shares.judgment_set_id, part_judged_shares.measure,
    part_judged_shares.attribute, part_judged_shares.slice
