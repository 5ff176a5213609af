-- One row is how far two assessors of a dataset agree on the documents that both
-- graded: Cohen's kappa (1960), or the weighted kappa (1968), for which a
-- disagreement counts as the square of its size. agreement is null if all the
-- grades are the same, because chance alone explains that. The quadratic kappa
-- is also null if squared differences of grades are too large or too small for a
-- double. The command agreement also has the statistics of more assessors.
with counts as (
    select
        dataset, assessor, other_assessor, grade, other_grade,
        count(*) as found
    from store.assessor_pairs
    group by all
),

-- How many pairs of any grade of the one and any grade of the other are equal.
chance as (
    select
        dataset, assessor, other_assessor,
        sum(counts.found * others.found) as alike
    from counts
    inner join counts as others using (dataset, assessor, other_assessor)
    where counts.grade = others.other_grade
    group by all
),

-- The mean square of the differences of pairs, and what those of pairs made by chance
-- have beyond it. A fixed order makes the last bits of a sum the same each time.
squares as (
    select
        dataset, assessor, other_assessor,
        count(*) as documents,
        count(*) filter (grade = other_grade) as agreed,
        sum(power(grade - other_grade, 2) order by query_id, doc_id) / count(*) as apart,
        2 * covar_pop(grade, other_grade order by query_id, doc_id) as by_chance
    from store.assessor_pairs
    group by all
)

select
    dataset,
    unnest(['cohen_kappa', 'cohen_kappa_quadratic']) as statistic,
    assessor,
    other_assessor,
    documents,
    unnest(
        [
            (agreed * documents - coalesce(alike, 0))
            / nullif(documents * documents - coalesce(alike, 0), 0),
            case
                when
                    documents * documents > coalesce(alike, 0)
                    and apart + by_chance between 1e-300 and 1e300
                    then by_chance / (apart + by_chance)
            end
        ]
    ) as agreement
from squares
left join chance using (dataset, assessor, other_assessor)
