-- One row is the mean of a measure for a run under two judgment sets, with the
-- number of queries that changed it: those judged in both sets with different
-- values, and those judged in only one set.
with moves as (

    select
        rejudged_values.run_id,
        rejudged_values.measure,
        sum(
            case when rejudged_values.difference <> 0 then 1 else 0 end
        ) as moved,
        sum(
            case
                when
                    rejudged_values.difference is null
                    and rejudged_values.value
                    is distinct from rejudged_values.other_value
                    then 1
                else 0
            end
        ) as in_one_set

    from rejudged_values

    where
        rejudged_values.judgment_set_id = $judgment_set_id
        and rejudged_values.other_judgment_set_id = $other_judgment_set_id

    group by
        rejudged_values.run_id,
        rejudged_values.measure

)

select
    run_values.run,
    run_values.measure,
    others.value as old_value,
    run_values.value as new_value,
    run_values.value - others.value as difference,
    others.n as old_n,
    run_values.n as new_n,
    coalesce(moves.moved, 0) as queries_moved,
    coalesce(moves.in_one_set, 0) as queries_in_one_set,
    others.judged_at_k as old_judged_at_k,
    run_values.judged_at_k as new_judged_at_k

from run_values

inner join run_values as others using (run_id, measure)

left join moves using (run_id, measure)

where
    run_values.judgment_set_id = $judgment_set_id
    and others.judgment_set_id = $other_judgment_set_id
    and list_contains($run_ids, run_values.run_id)
    and list_contains($measures, run_values.measure)

order by
    run_values.run_id,
    list_position($measures, run_values.measure)
