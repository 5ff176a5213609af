-- One row is how far the assessors of a dataset agree on the documents that all
-- of them graded: Fleiss' kappa (1971). It is null if all of these grades are
-- the same, because chance alone explains that.
with everyone as (

    select
        assessor_grades.dataset,
        count(distinct assessor_grades.assessor) as assessors

    from assessor_grades

    group by assessor_grades.dataset

),

counted as (

    select
        document_grades.dataset,
        document_grades.grade,
        max(document_grades.assessors) as assessors,
        sum(document_grades.given_by) as given,
        sum(document_grades.given_by * document_grades.given_by) as agreed

    from document_grades

    inner join everyone using (dataset, assessors)

    where document_grades.assessors > 1

    group by
        document_grades.dataset,
        document_grades.grade

),

-- The share of equal grades among pairs of grades of the same document, and
-- among pairs of any two grades.
shares as (

    select
        counted.dataset,
        sum(counted.given) / max(counted.assessors) as documents,
        cast(sum(counted.agreed) - sum(counted.given) as double)
        / (sum(counted.given) * (max(counted.assessors) - 1)) as agreed,
        cast(sum(counted.given * counted.given) as double)
        / (sum(counted.given) * sum(counted.given)) as chance,
        count(*) as grades

    from counted

    group by counted.dataset

)

select
    shares.dataset,
    cast(shares.documents as bigint) as documents,
    case
        when shares.grades > 1
            then (shares.agreed - shares.chance) / (1 - shares.chance)
    end as kappa

from shares
