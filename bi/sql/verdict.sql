-- Did it get better? One row is a candidate beside a baseline, by a measure:
-- the mean difference over the n queries for which both have a value, its 95 %
-- interval, and the p-value of Student's paired t-test. The verdict is improved
-- or worse if the interval leaves out 0, and else not proven; of a measure where
-- higher is not better, such as unj, it is higher or lower. judged@k of both runs
-- stands beside it: trust.sql says whether it is enough.
-- From 5 queries on, the interval is right to 0.04 % of its width (expansion of
-- Student's quantile: Abramowitz and Stegun 1964, 26.7.5), and p to 0.00001
-- (Hill 1970, Algorithm 395; Abramowitz and Stegun, 26.2.17). With fewer, or if
-- all differences are equal, both are null.
with tested as (

    select
        run_comparisons.judgment_set_id,
        run_comparisons.measure,
        run_comparisons.baseline_run_id,
        run_comparisons.candidate_run_id,
        run_comparisons.difference,
        run_comparisons.standard_error,
        run_comparisons.n - 1.0 as df

    from run_comparisons

    where
        run_comparisons.n > 4
        and run_comparisons.standard_error > 5e-13

),

terms as (

    select
        tested.judgment_set_id,
        tested.measure,
        tested.baseline_run_id,
        tested.candidate_run_id,
        tested.standard_error * (
            1.959964
            + (
                2.372271
                + (2.822499 + (2.555850 + 1.589534 / tested.df) / tested.df)
                / tested.df
            )
            / tested.df
        ) as reach,
        (tested.df - 0.5) * ln(
            1
            + tested.difference * tested.difference
            / (tested.standard_error * tested.standard_error * tested.df)
        ) as y,
        48 * (tested.df - 0.5) * (tested.df - 0.5) as b

    from tested

),

-- z is as improbable under the normal distribution as t is under Student's.
deviates as (

    select
        terms.judgment_set_id,
        terms.measure,
        terms.baseline_run_id,
        terms.candidate_run_id,
        terms.reach,
        case
            when terms.y > 1369 then 37
            else sqrt(terms.y) * (
                1
                + (
                    terms.y + 3
                    + (((-0.4 * terms.y - 3.3) * terms.y - 24) * terms.y - 85.5)
                    / (0.8 * terms.y * terms.y + 100 + terms.b)
                )
                / terms.b
            )
        end as z

    from terms

),

probabilities as (

    select
        deviates.judgment_set_id,
        deviates.measure,
        deviates.baseline_run_id,
        deviates.candidate_run_id,
        deviates.reach,
        exp(-deviates.z * deviates.z / 2) * 0.7978845608 as density,
        1 / (1 + 0.2316419 * deviates.z) as k

    from deviates

)

select
    run_comparisons.dataset,
    run_comparisons.judgment_set,
    run_comparisons.measure,
    run_comparisons.baseline,
    run_comparisons.candidate,
    case
        when run_comparisons.difference > probabilities.reach
            then
                case
                    when measures.higher_is_better then 'improved' else 'higher'
                end
        when -run_comparisons.difference > probabilities.reach
            then
                case
                    when measures.higher_is_better then 'worse' else 'lower'
                end
        else 'not proven'
    end as verdict,
    run_comparisons.baseline_value,
    run_comparisons.candidate_value,
    run_comparisons.difference,
    run_comparisons.difference - probabilities.reach as ci_low,
    run_comparisons.difference + probabilities.reach as ci_high,
    probabilities.density * probabilities.k * (
        0.319381530
        + probabilities.k * (
            -0.356563782
            + probabilities.k * (
                1.781477937
                + probabilities.k
                * (-1.821255978 + probabilities.k * 1.330274429)
            )
        )
    ) as p_t,
    run_comparisons.n,
    run_comparisons.wins,
    run_comparisons.ties,
    run_comparisons.losses,
    run_comparisons.weighted_difference,
    baselines.judged_at_k as baseline_judged_at_k,
    candidates.judged_at_k as candidate_judged_at_k

from run_comparisons

inner join measures using (measure)

left join probabilities
    using (judgment_set_id, measure, baseline_run_id, candidate_run_id)

inner join run_values as baselines
    on
        run_comparisons.judgment_set_id = baselines.judgment_set_id
        and run_comparisons.measure = baselines.measure
        and run_comparisons.baseline_run_id = baselines.run_id

inner join run_values as candidates
    on
        run_comparisons.judgment_set_id = candidates.judgment_set_id
        and run_comparisons.measure = candidates.measure
        and run_comparisons.candidate_run_id = candidates.run_id

order by
    run_comparisons.candidate,
    run_comparisons.baseline,
    run_comparisons.measure
