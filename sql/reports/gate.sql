-- One row is the outcome of a rule of a gate.
select
    unnest(
        cast(
            $decisions as struct(
                baseline varchar,
                candidate varchar,
                judgment_set varchar,
                dataset varchar,
                rule varchar,
                attribute varchar,
                slice varchar,
                measure varchar,
                n bigint,
                baseline_value double,
                candidate_value double,
                difference double,
                tolerance double,
                minimum double,
                ci_low double,
                ci_high double,
                detectable_difference double,
                p double,
                exceeded boolean,
                outcome varchar,
                reason varchar
            )[]
        ),
        recursive := true
    )
