-- One row is a statistic of how far the assessors of a dataset agree: Cohen's
-- kappa for each pair of assessors, Fleiss' kappa or Krippendorff's alpha for
-- all of them. assessor and other_assessor are null unless the statistic is
-- Cohen's kappa. agreement is null if all the grades are the same, because
-- chance alone explains that. The quadratic kappa and the interval alpha are
-- also null if squared differences of grades are too large or too small for a
-- double.
select
    cohen_kappas.dataset,
    'cohen_kappa' as statistic,
    cohen_kappas.assessor,
    cohen_kappas.other_assessor,
    cohen_kappas.documents,
    cohen_kappas.kappa as agreement

from cohen_kappas

union all

select
    cohen_kappas.dataset,
    'cohen_kappa_quadratic' as statistic,
    cohen_kappas.assessor,
    cohen_kappas.other_assessor,
    cohen_kappas.documents,
    cohen_kappas.quadratic_kappa as agreement

from cohen_kappas

union all

select
    fleiss_kappas.dataset,
    'fleiss_kappa' as statistic,
    cast(null as varchar) as assessor,
    cast(null as varchar) as other_assessor,
    fleiss_kappas.documents,
    fleiss_kappas.kappa as agreement

from fleiss_kappas

union all

select
    krippendorff_alphas.dataset,
    'krippendorff_alpha_nominal' as statistic,
    cast(null as varchar) as assessor,
    cast(null as varchar) as other_assessor,
    krippendorff_alphas.documents,
    krippendorff_alphas.nominal_alpha as agreement

from krippendorff_alphas

union all

select
    krippendorff_alphas.dataset,
    'krippendorff_alpha_ordinal' as statistic,
    cast(null as varchar) as assessor,
    cast(null as varchar) as other_assessor,
    krippendorff_alphas.documents,
    krippendorff_alphas.ordinal_alpha as agreement

from krippendorff_alphas

union all

select
    krippendorff_alphas.dataset,
    'krippendorff_alpha_interval' as statistic,
    cast(null as varchar) as assessor,
    cast(null as varchar) as other_assessor,
    krippendorff_alphas.documents,
    krippendorff_alphas.interval_alpha as agreement

from krippendorff_alphas
