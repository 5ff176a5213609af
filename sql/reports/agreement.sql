-- One row is a grade of one assessor beside a grade of another, and the number of
-- documents that have both. pairs is how many pairs of grades such a document has from
-- the groups of the two, so that the rows say how many grades a document has.
with counted as (
    select
        assessor_pairs.*,
        count(*) over (
            partition by
                query_id, doc_id,
                least(own.assessor_group, others.assessor_group),
                greatest(own.assessor_group, others.assessor_group)
        ) as pairs
    from assessor_pairs
    inner join assessor_groups as own using (assessor)
    inner join assessor_groups as others on other_assessor = others.assessor
    where dataset = $dataset
)

select
    assessor, other_assessor, pairs, grade, other_grade,
    count(*) as documents
from counted
group by all
order by all
