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
        1 + agreement_of_all.statistic_number as place,
        $assessors as assessors,
        agreement_of_all.statistic,
        agreement_of_all.documents,
        agreement_of_all.agreement as value,
        agreement_of_all.are_same,
        agreement_of_all.whom

    from agreement_of_all

    where agreement_of_all.dataset = $dataset

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
