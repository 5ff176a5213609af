-- One row is a statistic of how far some assessors agree; if it has no value,
-- the remark gives the reason.
with named as (

    select unnest($assessors) as assessor

),

pairs as (

    select
        [named.assessor, others.assessor] as assessors,
        coalesce(cohen_kappas.documents, 0) as documents,
        cohen_kappas.kappa,
        cohen_kappas.quadratic_kappa

    from named

    inner join named as others
        on named.assessor < others.assessor

    left join cohen_kappas
        on
            cohen_kappas.dataset = $dataset
            and named.assessor = cohen_kappas.assessor
            and others.assessor = cohen_kappas.other_assessor

),

statistics as (

    select
        1 as place,
        pairs.assessors,
        unnest(['cohen_kappa', 'cohen_kappa_quadratic']) as statistic,
        pairs.documents,
        unnest([pairs.kappa, pairs.quadratic_kappa]) as value,
        pairs.kappa is null as are_same,
        'both' as whom

    from pairs

    union all

    select
        2 as place,
        $assessors as assessors,
        'fleiss_kappa' as statistic,
        coalesce(max(fleiss_kappas.documents), 0) as documents,
        max(fleiss_kappas.kappa) as value,
        max(fleiss_kappas.kappa) is null as are_same,
        'all' as whom

    from fleiss_kappas

    where fleiss_kappas.dataset = $dataset

    union all

    select
        unnest([3, 4, 5]) as place,
        $assessors as assessors,
        unnest(
            [
                'krippendorff_alpha_nominal',
                'krippendorff_alpha_ordinal',
                'krippendorff_alpha_interval'
            ]
        ) as statistic,
        coalesce(max(krippendorff_alphas.documents), 0) as documents,
        unnest(
            [
                max(krippendorff_alphas.nominal_alpha),
                max(krippendorff_alphas.ordinal_alpha),
                max(krippendorff_alphas.interval_alpha)
            ]
        ) as value,
        max(krippendorff_alphas.nominal_alpha) is null as are_same,
        'two' as whom

    from krippendorff_alphas

    where krippendorff_alphas.dataset = $dataset

)

select
    statistics.statistic,
    statistics.assessors,
    statistics.documents,
    statistics.value,
    case
        when statistics.documents = 0
            then 'no document was judged by ' || statistics.whom
        when statistics.value is null and statistics.are_same
            then 'all of these grades are the same'
        when statistics.value is null
            then 'the squares of these grades are too large or too small'
    end as remark

from statistics

order by
    statistics.place,
    statistics.assessors,
    statistics.statistic
