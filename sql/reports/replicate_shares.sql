-- One row is a system and a measure, with the share of judged documents among the
-- first, for all queries or a slice of them: the mean over replicates. In a divided
-- system, each replicate has the shares of its own queries, and 0 for all others.
with divided as (
    select
        system_id,
        bool_and(is_divided) as is_divided
    from replicate_answers
    group by system_id
)

select
    system_id as run_id,
    judgment_set_id, measure, attribute, slice,
    if(
        bool_and(is_divided),
        sum(judged_at_k order by system_runs.run_id),
        avg(judged_at_k order by system_runs.run_id)
    ) as judged_at_k
from part_judged_shares
inner join system_runs using (run_id)
inner join divided using (system_id)
where judgment_set_id = $judgment_set_id and list_contains($measures, measure)
group by system_id, judgment_set_id, measure, attribute, slice
