-- How many documents have no majority grade: several grades are equally frequent.
with frequent as (
    select query_id, doc_id
    from assessor_grades
    where dataset = $dataset and grade >= 0
    group by query_id, doc_id, grade
    qualify rank() over (partition by query_id, doc_id order by count(*) desc) = 1
)

select count(*)
from (
    select query_id, doc_id
    from frequent
    group by all
    having count(*) > 1
) as tied
