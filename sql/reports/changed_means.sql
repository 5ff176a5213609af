-- One row is the mean of a measure for a run under two judgment sets, with the
-- number of queries that changed it: those judged in both sets with different
-- values, and those judged in only one set.
with moves as (
    select
        run_id, measure,
        count(*) filter (difference <> 0) as moved,
        count(*) filter (difference is null and value is distinct from other_value)
            as in_one_set
    from rejudged_values
    where
        judgment_set_id = $judgment_set_id
        and other_judgment_set_id = $other_judgment_set_id
    group by all
)

select
    run_values.run,
    measure,
    others.value as old_value,
    run_values.value as new_value,
    run_values.value - others.value as difference,
    others.n as old_n,
    run_values.n as new_n,
    coalesce(moved, 0) as queries_moved,
    coalesce(in_one_set, 0) as queries_in_one_set,
    others.judged_at_k as old_judged_at_k,
    run_values.judged_at_k as new_judged_at_k
from run_values
inner join run_values as others using (run_id, measure)
left join moves using (run_id, measure)
where
    run_values.judgment_set_id = $judgment_set_id
    and others.judgment_set_id = $other_judgment_set_id
    and list_contains($run_ids, run_id)
    and list_contains($measures, measure)
order by run_id, list_position($measures, measure)
