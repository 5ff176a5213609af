-- One row is a statistic of how far the assessors of a dataset agree: Cohen's
-- kappa for each pair of assessors, Fleiss' kappa or Krippendorff's alpha for
-- all of them. assessor and other_assessor are null unless the statistic is
-- Cohen's kappa. agreement is null if all the grades are the same, because
-- chance alone explains that. The quadratic kappa and the interval alpha are
-- also null if squared differences of grades are too large or too small for a
-- double.
select
    agreement_statistics.dataset,
    agreement_statistics.statistic,
    agreement_statistics.assessor,
    agreement_statistics.other_assessor,
    agreement_statistics.documents,
    agreement_statistics.agreement

from store.agreement_statistics
