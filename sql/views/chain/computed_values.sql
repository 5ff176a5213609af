-- computed_values: the value of a measure for a judged query of an evaluation. The case is the
-- column value of measures.csv; what missing and no_rel mean is said once for all families. A query
-- that they omit has no value. total is the sum of the terms, ideal_total that of an ideal list of
-- the run's own (see ideal_sums).
with counted as (
    select
        listed_queries.*,
        settings.* exclude (known, judged_only),
        coalesce(relevant, 0) as relevant,
        best_gain,
        run_sums.total,
        run_sums.best,
        run_sums.found,
        if(settings.ideal is null, null, coalesce(ideal_totals.total, 0)) as ideal_total,
        least(coalesce(cutoff, listed), listed) as shown,
        knowing
    from listed_queries
    inner join settings using (known, judged_only)
    left join relevant_counts using (judgment_set_id, query_id, basis)
    left join
        (select * exclude (list_id), list_id as run_id from sums where side = 'run') as run_sums
        using (run_id, judgment_set_id, query_id, measure)
    left join ideal_totals
        on
            ideal_totals.measure = settings.measure
            and ideal_totals.list_id
            = if(ideal in ('retrieved', 'topk', 'returned'), listed_queries.run_id, 0)
            and ideal_totals.judgment_set_id
            = if(ideal = 'perfect', 0, listed_queries.judgment_set_id)
            and ideal_totals.query_id = if(ideal = 'perfect', '', listed_queries.query_id)
    left join knowing_queries using (judgment_set_id)
    where summary <> 'none'
),
valued as (
    select
        *,
        case
            when always_counts then false
            else coalesce(if(ideal = 'perfect', null, ideal_total), relevant, 0) = 0
        end as nothing_relevant,
        $values as formula_value
    from counted
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
    if(ideal in ('retrieved', 'topk', 'returned'), ideal_total, null) as ideal_total,
    nothing_relevant
from valued
