-- One row is the comparison of a candidate with the baseline by a measure, with
-- what tests say of it.
with statistics as (

    select
        unnest(
            cast(
                $statistics as struct(
                    row_id bigint,
                    ci_low double,
                    ci_high double,
                    p_t double,
                    p_randomization double,
                    p_bootstrap double,
                    p_wilcoxon double,
                    p_adjusted double,
                    effect_size double,
                    detectable_difference double,
                    bootstrap_low double,
                    bootstrap_high double,
                    randomization varchar,
                    bootstrap varchar,
                    note varchar
                )[]
            ),
            recursive := true
        )

)

select
    compared.baseline,
    compared.candidate,
    compared.judgment_set,
    compared.dataset,
    compared.attribute,
    compared.slice,
    compared.measure,
    compared.n,
    compared.baseline_value,
    compared.candidate_value,
    compared.difference,
    -- Values of utility may be negative.
    compared.difference / nullif(abs(compared.baseline_value), 0)
        as relative_difference,
    statistics.ci_low,
    statistics.ci_high,
    statistics.p_t,
    statistics.p_randomization,
    statistics.p_bootstrap,
    statistics.p_wilcoxon,
    statistics.p_adjusted,
    statistics.effect_size,
    statistics.detectable_difference,
    compared.wins,
    compared.ties,
    compared.losses,
    statistics.bootstrap_low,
    statistics.bootstrap_high,
    compared.weighted_difference,
    compared.weighted_n,
    compared.standard_error,
    compared.baseline_judged_at_k,
    compared.candidate_judged_at_k,
    statistics.randomization,
    statistics.bootstrap,
    statistics.note

from compared

inner join statistics
    on compared.rowid = statistics.row_id

order by
    compared.attribute,
    compared.slice nulls last,
    list_position($candidate_run_ids, compared.candidate_run_id),
    list_position($measures, compared.measure)
