-- One row is a grade of one assessor and a grade of another: how many documents
-- have both, and their share of the documents with the first grade that both
-- assessors graded.
select
    assessor_pairs.dataset, assessor_pairs.assessor, assessor_pairs.other_assessor,
    assessor_pairs.grade, assessor_pairs.other_grade,
    count(*) as documents,
    count(*)
    / sum(count(*)) over (
        partition by assessor_pairs.assessor, assessor_pairs.other_assessor, assessor_pairs.grade
    ) as share
from assessor_pairs
where
    assessor_pairs.dataset = $dataset
    and list_contains($assessors, assessor_pairs.assessor)
    and list_contains($assessors, assessor_pairs.other_assessor)
group by
    assessor_pairs.dataset, assessor_pairs.assessor, assessor_pairs.other_assessor,
    assessor_pairs.grade, assessor_pairs.other_grade
order by
    assessor_pairs.assessor, assessor_pairs.other_assessor, assessor_pairs.grade,
    assessor_pairs.other_grade
