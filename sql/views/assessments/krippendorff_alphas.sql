-- One row is how far the assessors of a dataset agree on the documents that two
-- or more of them graded: Krippendorff's alpha (Content Analysis, 2004), with
-- the grades as names (nominal), as places in an order (ordinal) or as numbers
-- (interval). It is null if all of these grades are the same, because chance
-- alone explains that.
with graded as (

    select
        document_grades.dataset,
        document_grades.query_id,
        document_grades.doc_id,
        document_grades.grade,
        document_grades.given_by,
        document_grades.assessors

    from document_grades

    where document_grades.assessors > 1

),

-- The ordinal difference of two grades is the number of grades given from the
-- middle of the one grade to the middle of the other.
levels as (

    select
        graded.dataset,
        graded.grade,
        sum(graded.given_by) as given_by,
        sum(sum(graded.given_by)) over (
            partition by graded.dataset
            order by graded.grade
        ) - sum(graded.given_by) / 2.0 as middle

    from graded

    group by
        graded.dataset,
        graded.grade

),

totals as (

    select
        levels.dataset,
        cast(sum(levels.given_by) as double) as given,
        cast(sum(levels.given_by * levels.given_by) as double) as alike,
        sum(levels.given_by * levels.grade order by levels.grade)
        / sum(levels.given_by) as mean_grade,
        sum(levels.given_by * levels.middle order by levels.grade)
        / sum(levels.given_by) as mean_middle

    from levels

    group by levels.dataset

),

-- The expected disagreement. The mean square of a difference is twice the
-- variance, here of all grades.
expected as (

    select
        levels.dataset,
        count(*) as grades,
        max(totals.given) as given,
        (max(totals.given) - max(totals.alike) / max(totals.given))
        / (max(totals.given) - 1) as nominal,
        sum(
            levels.given_by * power(levels.middle - totals.mean_middle, 2)
            order by levels.grade
        ) / (max(totals.given) - 1) as ordinal,
        sum(
            levels.given_by * power(levels.grade - totals.mean_grade, 2)
            order by levels.grade
        ) / (max(totals.given) - 1) as metric

    from levels

    inner join totals using (dataset)

    group by levels.dataset

),

-- For the disagreement found, it is twice the variance of the grades of a
-- document.
placed as (

    select
        graded.dataset,
        graded.query_id,
        graded.doc_id,
        graded.grade,
        graded.given_by,
        levels.middle,
        graded.assessors,
        sum(graded.given_by * graded.grade) over document
        / graded.assessors as mean_grade,
        sum(graded.given_by * levels.middle) over document
        / graded.assessors as mean_middle

    from graded

    inner join levels using (dataset, grade)

    -- A fixed order makes the last bits of a sum the same each time.
    window
        document as (
            partition by
                graded.dataset,
                graded.query_id,
                graded.doc_id
            order by graded.grade
            rows between unbounded preceding and unbounded following
        )

),

found as (

    select
        placed.dataset,
        sum(
            placed.given_by
            * (placed.assessors - placed.given_by) / (placed.assessors - 1.0)
            order by placed.query_id, placed.doc_id, placed.grade
        ) as nominal,
        sum(
            placed.given_by * power(placed.middle - placed.mean_middle, 2)
            * placed.assessors / (placed.assessors - 1.0)
            order by placed.query_id, placed.doc_id, placed.grade
        ) as ordinal,
        sum(
            placed.given_by * power(placed.grade - placed.mean_grade, 2)
            * placed.assessors / (placed.assessors - 1.0)
            order by placed.query_id, placed.doc_id, placed.grade
        ) as metric

    from placed

    group by placed.dataset

),

documents as (

    select distinct
        graded.dataset,
        graded.query_id,
        graded.doc_id

    from graded

),

counted as (

    select
        documents.dataset,
        count(*) as documents

    from documents

    group by documents.dataset

)

select
    found.dataset,
    counted.documents,
    case
        when expected.grades > 1
            then 1 - found.nominal / expected.given / expected.nominal
    end as nominal_alpha,
    case
        when expected.grades > 1
            then 1 - found.ordinal / expected.given / expected.ordinal
    end as ordinal_alpha,
    case
        -- Squares of differences may be too large or too small for a double.
        when expected.metric between 1e-300 and 1e300
            then 1 - found.metric / expected.given / expected.metric
    end as interval_alpha

from found

inner join expected using (dataset)

inner join counted using (dataset)
