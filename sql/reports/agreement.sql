-- One row is a statistic of how far some assessors agree: Cohen's kappa for each two
-- of them, and Fleiss' kappa and Krippendorff's alpha for all. If grouped, it is the
-- mean of Cohen's kappa over pairs of assessors of a group, or over pairs with one
-- of each of two groups, and within a group Fleiss' kappa and Krippendorff's alpha.
-- pairs is the number of pairs with a kappa. If there is no value, the remark gives
-- the reason.
with pairs as (

    select
        case
            when $grouped  -- noqa: RF02
                then
                    list_sort(
                        list_distinct(
                            [
                                assessor_groups.assessor_group,
                                others.assessor_group
                            ]
                        )
                    )
            else [assessor_groups.assessor, others.assessor]
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
        where assessor_pairs.dataset = $dataset
    ) as judged_documents

    group by judged_documents.groups

),

means as (

    select
        pairs.groups,
        list_sort(
            list_distinct(flatten(list([pairs.assessor, pairs.other_assessor])))
        ) as assessors,
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
            cohen_kappas.dataset = $dataset
            and pairs.assessor = cohen_kappas.assessor
            and pairs.other_assessor = cohen_kappas.other_assessor

    group by pairs.groups

),

wholes as (

    select
        assessor_groups.assessor_group as dataset,
        list(assessor_groups.assessor order by assessor_groups.rowid)
            as assessors

    from assessor_groups

    group by assessor_groups.assessor_group

    having count(*) > 1

),

statistics as (

    select
        1 as place,
        means.groups,
        unnest(['cohen_kappa', 'cohen_kappa_quadratic'])
        || case when $grouped then '_mean' else '' end  -- noqa: RF02
            as statistic,
        means.assessors,
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
        [wholes.dataset] as groups,
        agreement_of_all.statistic,
        wholes.assessors,
        cast(null as bigint) as pairs,
        agreement_of_all.documents,
        agreement_of_all.agreement as value,
        agreement_of_all.are_same,
        agreement_of_all.whom

    from wholes

    inner join agreement_of_all using (dataset)

)

select
    statistics.groups,
    statistics.statistic,
    statistics.assessors,
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

order by
    case when $grouped then len(statistics.groups) end,
    case when $grouped then statistics.groups end,
    statistics.place,
    statistics.assessors,
    statistics.statistic
