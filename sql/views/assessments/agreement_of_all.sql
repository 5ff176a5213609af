-- One row is a statistic of how far all the assessors of a dataset agree: Fleiss'
-- kappa or one of Krippendorff's alphas. documents is 0 if none was graded by all
-- of them, or by two of them, as whom says. Where there are documents, are_same
-- says that agreement is null since their grades are the same.
with datasets as (

    select distinct assessment_sets.dataset

    from assessment_sets

)

select
    datasets.dataset,
    1 as statistic_number,
    'fleiss_kappa' as statistic,
    'all' as whom,
    coalesce(fleiss_kappas.documents, 0) as documents,
    fleiss_kappas.kappa as agreement,
    fleiss_kappas.kappa is null as are_same

from datasets

left join fleiss_kappas using (dataset)

union all

select
    datasets.dataset,
    unnest([2, 3, 4]) as statistic_number,
    unnest(
        [
            'krippendorff_alpha_nominal',
            'krippendorff_alpha_ordinal',
            'krippendorff_alpha_interval'
        ]
    ) as statistic,
    'two' as whom,
    coalesce(krippendorff_alphas.documents, 0) as documents,
    unnest(
        [
            krippendorff_alphas.nominal_alpha,
            krippendorff_alphas.ordinal_alpha,
            krippendorff_alphas.interval_alpha
        ]
    ) as agreement,
    krippendorff_alphas.nominal_alpha is null as are_same

from datasets

left join krippendorff_alphas using (dataset)
