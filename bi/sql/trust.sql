-- Can it be trusted? One row is one of two compared runs, by a measure, with its
-- share of judged documents among the first k. A document that nobody judged
-- counts as not relevant: of two runs, the one with more of them looks worse
-- than it is. caution says so below a share of 80 %, and where the other run has
-- 10 % more; measures of what is shown, such as Novelty, rest on no judgments.
with roles as (

    select 'candidate' as role

    union all

    select 'baseline' as role

),

sides as (

    select
        run_comparisons.dataset,
        run_comparisons.judgment_set,
        run_comparisons.judgment_set_id,
        run_comparisons.measure,
        run_comparisons.baseline,
        run_comparisons.candidate,
        roles.role,
        case roles.role
            when 'candidate' then run_comparisons.candidate_run_id
            else run_comparisons.baseline_run_id
        end as run_id,
        case roles.role
            when 'candidate' then run_comparisons.baseline_run_id
            else run_comparisons.candidate_run_id
        end as other_run_id

    from run_comparisons

    cross join roles

)

select
    sides.dataset,
    sides.judgment_set,
    sides.measure,
    sides.baseline,
    sides.candidate,
    sides.role,
    run_values.run,
    run_values.value,
    run_values.judged_at_k,
    case
        when not measures.reads_judgments then 'rests on no judgments'
        when run_values.judged_at_k < 0.8 then 'few are judged'
        when others.judged_at_k - run_values.judged_at_k > 0.1
            then 'fewer are judged than of the other run'
        else 'enough are judged'
    end as caution,
    run_values.n,
    run_values.unanswered,
    run_values.no_relevant,
    run_values.unjudged_queries

from sides

inner join measures using (measure)

inner join run_values using (judgment_set_id, measure, run_id)

inner join run_values as others
    on
        sides.judgment_set_id = others.judgment_set_id
        and sides.measure = others.measure
        and sides.other_run_id = others.run_id

order by
    sides.role desc,
    run_values.run asc
