-- The grades that a policy derives from the grades of assessors. The policy
-- trust takes the grade of the first assessor, in the given order, who has one.
create or replace temp table staged as
with trusted as (

    select
        assessor_grades.dataset,
        assessor_grades.query_id,
        assessor_grades.doc_id,
        arg_min(
            assessor_grades.grade,
            list_position($assessors, assessor_grades.assessor)
        ) as grade

    from assessor_grades

    where assessor_grades.grade >= 0

    group by all

)

select
    assessed_documents.query_id,
    assessed_documents.doc_id,
    cast(null as varchar) as label,
    case $policy
        when 'mean' then assessed_documents.mean_grade
        when 'median' then assessed_documents.median_grade
        when 'majority' then assessed_documents.majority_grade
        when 'max' then assessed_documents.max_grade
        when 'latest' then assessed_documents.latest_grade
        else coalesce(trusted.grade, -1)
    end as grade

from assessed_documents

left join trusted using (dataset, query_id, doc_id)

where assessed_documents.dataset = $dataset
