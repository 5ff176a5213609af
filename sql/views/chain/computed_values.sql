-- One row is the value of a measure for a judged query of an evaluation. The case is the column
-- value of measures.csv; what missing and no_rel mean is said once for all families. A query that
-- they omit has no value. Values of other programs are as they were loaded. total is the sum of
-- the terms, ideal_total that of an ideal list of the run's own (see ideal_sums).
with valued as (
    select
        *,
        case
            when always_counts then false
            else coalesce(if(ideal = 'perfect', null, ideal_total), relevant, 0) = 0
        end as nothing_relevant,
        $values as formula_value
    from query_counts
)

select
    run_id, judgment_set_id, measure, query_id,
    case
        when retrieved = 0 and missing = 'omit' then null
        when not nothing_relevant then coalesce(formula_value, if(reads = 'rankings', null, 0))
        when no_rel = 'omit' then null
        when no_rel = '1' then 1
        else 0
    end as value,
    total,
    if(has_own_ideal, ideal_total, null) as ideal_total,
    nothing_relevant
from valued
union all
select
    run_id, evaluations.judgment_set_id, measure, query_id, value,
    null as total,
    null as ideal_total,
    false as nothing_relevant
from loaded_values
inner join evaluations using (run_id)
inner join measures using (measure)
where
    loaded_values.judgment_set_id is null
    or loaded_values.judgment_set_id = evaluations.judgment_set_id
