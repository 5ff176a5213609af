-- One row is a statistic of how far the assessors of a group agree, or those of
-- two groups: the mean of Cohen's kappa over pairs of assessors, one of each
-- group, and within a group Fleiss' kappa and Krippendorff's alpha. pairs is the
-- number of pairs with a kappa. If there is no value, the remark gives the
-- reason.
with pairs as (

    select
        case
            when assessor_groups.assessor_group = others.assessor_group
                then [assessor_groups.assessor_group]
            else
                list_sort(
                    [assessor_groups.assessor_group, others.assessor_group]
                )
        end as groups,
        assessor_groups.assessor,
        others.assessor as other_assessor

    from assessor_groups

    inner join assessor_groups as others
        on assessor_groups.assessor < others.assessor

),

judged as (

    select
        judged_documents.groups,
        count(*) as documents

    from (
        select distinct
            pairs.groups,
            assessor_pairs.query_id,
            assessor_pairs.doc_id
        from pairs
        inner join assessor_pairs using (assessor, other_assessor)
        where assessor_pairs.dataset = ''
    ) as judged_documents

    group by judged_documents.groups

),

named as (

    select
        sides.groups,
        list_sort(list_distinct(flatten(list(sides.assessors)))) as assessors

    from (
        select
            pairs.groups,
            [pairs.assessor, pairs.other_assessor] as assessors
        from pairs
    ) as sides

    group by sides.groups

),

means as (

    select
        pairs.groups,
        count(cohen_kappas.kappa) as pairs,
        avg(cohen_kappas.kappa order by pairs.assessor, pairs.other_assessor)
            as kappa,
        avg(
            cohen_kappas.quadratic_kappa
            order by pairs.assessor, pairs.other_assessor
        ) as quadratic_kappa

    from pairs

    left join cohen_kappas
        on
            cohen_kappas.dataset = ''
            and pairs.assessor = cohen_kappas.assessor
            and pairs.other_assessor = cohen_kappas.other_assessor

    group by pairs.groups

),

statistics as (

    select
        1 as place,
        means.groups,
        unnest(['cohen_kappa_mean', 'cohen_kappa_quadratic_mean'])
            as statistic,
        means.pairs,
        coalesce(judged.documents, 0) as documents,
        unnest([means.kappa, means.quadratic_kappa]) as value,
        means.kappa is null as are_same,
        'both' as whom

    from means

    left join judged using (groups)

    union all

    select
        1 + agreement_of_all.statistic_number as place,
        means.groups,
        agreement_of_all.statistic,
        cast(null as bigint) as pairs,
        agreement_of_all.documents,
        agreement_of_all.agreement as value,
        agreement_of_all.are_same,
        agreement_of_all.whom

    from means

    inner join agreement_of_all
        on means.groups[1] = agreement_of_all.dataset

    where len(means.groups) = 1

)

select
    statistics.groups,
    statistics.statistic,
    named.assessors,
    statistics.pairs,
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

inner join named using (groups)

order by
    len(statistics.groups),
    statistics.groups,
    statistics.place,
    statistics.statistic
