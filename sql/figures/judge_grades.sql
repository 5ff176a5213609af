-- One row is a grade of one assessor and a grade of another: how many documents
-- have both, and their share of the documents with the first grade that both
-- assessors graded.
with counted as (

    select
        assessor_pairs.dataset,
        assessor_pairs.assessor,
        assessor_pairs.other_assessor,
        assessor_pairs.grade,
        assessor_pairs.other_grade,
        count(*) as documents

    from assessor_pairs

    where
        assessor_pairs.dataset = $dataset
        and list_contains($assessors, assessor_pairs.assessor)
        and list_contains($assessors, assessor_pairs.other_assessor)

    group by
        assessor_pairs.dataset,
        assessor_pairs.assessor,
        assessor_pairs.other_assessor,
        assessor_pairs.grade,
        assessor_pairs.other_grade

)

select
    counted.dataset,
    counted.assessor,
    counted.other_assessor,
    counted.grade,
    counted.other_grade,
    counted.documents,
    counted.documents
    / sum(counted.documents) over (
        partition by
            counted.assessor, counted.other_assessor, counted.grade
    ) as share

from counted

order by
    counted.assessor,
    counted.other_assessor,
    counted.grade,
    counted.other_grade
