-- One row is how far two assessors agree on the documents that both graded:
-- Cohen's kappa (1960), and the weighted kappa (1968), for which a disagreement
-- counts as the square of its size. Both are null if all of these grades are
-- the same, because chance alone explains that.
with counted as (

    select
        assessor_pairs.dataset,
        assessor_pairs.assessor,
        assessor_pairs.other_assessor,
        assessor_pairs.grade,
        assessor_pairs.other_grade,
        count(*) as documents

    from assessor_pairs

    group by
        assessor_pairs.dataset,
        assessor_pairs.assessor,
        assessor_pairs.other_assessor,
        assessor_pairs.grade,
        assessor_pairs.other_grade

),

centred as (

    select
        counted.dataset,
        counted.assessor,
        counted.other_assessor,
        counted.grade,
        counted.other_grade,
        counted.documents,
        sum(counted.documents * counted.grade) over pair
        / sum(counted.documents) over pair as mean_grade,
        sum(counted.documents * counted.other_grade) over pair
        / sum(counted.documents) over pair as other_mean_grade

    from counted

    -- A fixed order makes the last bits of a sum the same each time.
    window
        pair as (
            partition by
                counted.dataset,
                counted.assessor,
                counted.other_assessor
            order by
                counted.grade,
                counted.other_grade
            rows between unbounded preceding and unbounded following
        )

),

-- The squares of the differences: as found, and as expected by chance, which is
-- the variance of both plus the square of the difference of their means.
squared as (

    select
        centred.dataset,
        centred.assessor,
        centred.other_assessor,
        centred.grade,
        centred.other_grade,
        centred.documents,
        sum(
            centred.documents
            * power(centred.grade - centred.other_grade, 2)
        ) over pair as found,
        sum(
            centred.documents
            * (
                power(centred.grade - centred.mean_grade, 2)
                + power(centred.other_grade - centred.other_mean_grade, 2)
                + power(centred.mean_grade - centred.other_mean_grade, 2)
            )
        ) over pair as expected

    from centred

    window
        pair as (
            partition by
                centred.dataset,
                centred.assessor,
                centred.other_assessor
            order by
                centred.grade,
                centred.other_grade
            rows between unbounded preceding and unbounded following
        )

),

pairs as (

    select
        squared.dataset,
        squared.assessor,
        squared.other_assessor,
        sum(squared.documents) as documents,
        sum(
            case
                when squared.grade = squared.other_grade
                    then squared.documents
                else 0
            end
        ) as agreed,
        max(squared.found) as found,
        max(squared.expected) as expected,
        max(greatest(squared.grade, squared.other_grade))
        > min(least(squared.grade, squared.other_grade)) as differ

    from squared

    group by
        squared.dataset,
        squared.assessor,
        squared.other_assessor

),

-- How many of all pairs of a grade of one assessor and a grade of the other are
-- equal.
chance as (

    select
        counted.dataset,
        counted.assessor,
        counted.other_assessor,
        sum(counted.documents * others.documents) as agreed

    from counted

    inner join counted as others
        on
            counted.dataset = others.dataset
            and counted.assessor = others.assessor
            and counted.other_assessor = others.other_assessor
            and counted.grade = others.other_grade

    group by
        counted.dataset,
        counted.assessor,
        counted.other_assessor

)

select
    pairs.dataset,
    pairs.assessor,
    pairs.other_assessor,
    cast(pairs.documents as bigint) as documents,
    case
        when pairs.differ
            then
                cast(
                    pairs.agreed * pairs.documents - coalesce(chance.agreed, 0)
                    as double
                )
                / (
                    pairs.documents * pairs.documents
                    - coalesce(chance.agreed, 0)
                )
    end as kappa,
    case
        -- Squares of differences may be too large or too small for a double.
        when pairs.differ and pairs.expected between 1e-300 and 1e300
            then 1 - pairs.found / pairs.expected
    end as quadratic_kappa

from pairs

left join chance using (dataset, assessor, other_assessor)
