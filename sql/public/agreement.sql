-- One row is a statistic of how far the assessors of a dataset agree: Cohen's
-- kappa for each pair of assessors, Fleiss' kappa or Krippendorff's alpha for
-- all of them. assessor and other_assessor are null unless the statistic is
-- Cohen's kappa. agreement is null if all the grades are the same, because
-- chance alone explains that. The quadratic kappa and the interval alpha are
-- also null if squared differences of grades are too large or too small for a
-- double.
select
    cohen_kappas.dataset,
    unnest(['cohen_kappa', 'cohen_kappa_quadratic']) as statistic,
    cohen_kappas.assessor,
    cohen_kappas.other_assessor,
    cohen_kappas.documents,
    unnest([cohen_kappas.kappa, cohen_kappas.quadratic_kappa]) as agreement

from store.cohen_kappas

union all

select
    agreement_of_all.dataset,
    agreement_of_all.statistic,
    cast(null as varchar) as assessor,
    cast(null as varchar) as other_assessor,
    agreement_of_all.documents,
    agreement_of_all.agreement

from store.agreement_of_all

where agreement_of_all.documents > 0
