-- One row is the outcome of a rule of a gate.
with decisions as (

    select
        unnest(
            cast(
                $decisions as struct(
                    baseline varchar,
                    candidate varchar,
                    judgment_set varchar,
                    dataset varchar,
                    attribute varchar,
                    slice varchar,
                    measure varchar,
                    n bigint,
                    baseline_value double,
                    candidate_value double,
                    difference double,
                    ci_low double,
                    ci_high double,
                    detectable_difference double,
                    tolerance double,
                    minimum double,
                    p double,
                    rule varchar,
                    exceeded boolean,
                    outcome varchar,
                    reason varchar
                )[]
            ),
            recursive := true
        )

)

select
    decisions.baseline,
    decisions.candidate,
    decisions.judgment_set,
    decisions.dataset,
    decisions.rule,
    decisions.attribute,
    decisions.slice,
    decisions.measure,
    decisions.n,
    decisions.baseline_value,
    decisions.candidate_value,
    decisions.difference,
    decisions.tolerance,
    decisions.minimum,
    decisions.ci_low,
    decisions.ci_high,
    decisions.detectable_difference,
    decisions.p,
    decisions.exceeded,
    decisions.outcome,
    decisions.reason

from decisions
